import { describe, expect, it } from 'vitest';
import type { DirectionSpec, LinkSpec } from '../scenario';
import { linkCommand, setCommand } from './emulator-protocol-commands';
import { linkSeed, toLinkChange, toLinkOptions, toRestart } from './link-emulator-scenario';

const ends = {
  a: { device: 'wifi', address: '10.0.0.2/24' },
  b: { netns: '/run/netns/r1', device: 'wifi' },
};
const plain: DirectionSpec = { delayMs: 5, queue: { discipline: 'droptail' } };
const steps = [{ durationMs: 1_000, rateBps: 5_000_000 }];

function link(ab: Partial<DirectionSpec>, rest: Partial<LinkSpec> = {}): LinkSpec {
  return { id: 'wifi', a: 'client', b: 'r1', ab: { ...plain, ...ab }, ba: plain, ...rest };
}

describe('toLinkOptions', () => {
  it('leaves a direction without rate and trace unlimited', () => {
    const { options, traces } = toLinkOptions(link({ rateBps: 1e6, queueBytes: 9_000 }), ends, 1);
    expect(traces).toEqual([]);
    expect(linkCommand(options)).toBe(
      'link wifi a.netns=- a.dev=wifi a.addr=10.0.0.2/24 b.netns=/run/netns/r1 b.dev=wifi ' +
        'rate.ab=1000000 rate.ba=- delay_us=5000 queue=droptail queue_bytes.ab=9000 ' +
        `seed=${linkSeed(1, 'wifi')}`,
    );
  });

  it('names the required traces, one per direction that follows one', () => {
    const trace = { file: 'lte.json', steps, once: true };
    const { options, traces } = toLinkOptions(link({ trace, rateBps: 5 }), ends, 1);
    expect(traces).toEqual([{ name: 'wifi-ab', steps }]);
    expect(linkCommand(options)).toContain(' trace.ab=wifi-ab:once ');
    expect(linkCommand(options)).not.toContain('rate.ab');
  });

  it('writes every field of a middlebox', () => {
    const middlebox = { stripMpJoin: true, nat: { address: '192.0.2.1' } };
    const { options } = toLinkOptions(link({}, { middlebox }), ends, 1);
    expect(linkCommand(options)).toContain(
      ' strip_mp_capable=0 strip_mp_join=1 drop_add_addr=0 nat=192.0.2.1 reset_after_bytes=- ',
    );
    expect(setCommand('wifi', { middlebox: null })).toBe(
      'set wifi strip_mp_capable=0 strip_mp_join=0 drop_add_addr=0 nat=- reset_after_bytes=-',
    );
  });

  it('gives the links of one trial different, reproducible seeds', () => {
    const seeds = ['wifi', 'lte', 'ab', 'ba'].flatMap((id) => [linkSeed(1, id), linkSeed(2, id)]);
    expect(new Set(seeds).size).toBe(seeds.length);
    expect(linkSeed(1, 'wifi')).toBe(toLinkOptions(link({}), ends, 1).options.seed);
  });
});

describe('toLinkChange', () => {
  it('changes only the given fields', () => {
    const { change } = toLinkChange('wifi', { ba: { rateBps: 64_000, lossRatio: 0.5 } }, 0);
    expect(setCommand('wifi', change)).toBe('set wifi rate.ba=64000 loss.ba=0.5');
  });

  it('gives each new trace a new name', () => {
    const event = { ab: { trace: { file: 't', steps } } };
    const first = toLinkChange('wifi', event, 0);
    const second = toLinkChange('wifi', event, 1);
    expect(first.traces[0]?.name).not.toBe(second.traces[0]?.name);
    expect(setCommand('wifi', second.change)).toBe(
      `set wifi trace.ab=${second.traces[0]?.name ?? ''}`,
    );
  });

  it('refuses another queue, and names link and direction', () => {
    expect(() => toLinkChange('wifi', { ba: { queue: { discipline: 'pie' } } }, 0)).toThrow(
      'link wifi: ba.queue cannot change',
    );
  });
});

describe('toRestart', () => {
  it('restarts traces and outages, and changes nothing else', () => {
    const outages = { outages: [{ atMs: 1000, durationMs: 500 }] };
    const whole = link({ trace: { file: 't', steps, once: true }, outages, lossRatio: 0.1 });
    const change = toRestart(whole);
    expect(change && setCommand('wifi', change)).toBe(
      'set wifi trace.ab=wifi-ab:once outages.ab=1000000+500000',
    );
    expect(toLinkOptions(whole, ends, 1).traces.map(({ name }) => name)).toEqual(['wifi-ab']);
    expect(toRestart(link({ rateBps: 1e6 }))).toBeUndefined();
  });
});
