import { describe, expect, it } from 'vitest';
import { linkCommand, setCommand, traceCommands } from './emulator-protocol-commands';
import type { LinkOptions } from './link-emulator-options';

const plain: LinkOptions = {
  name: 'p1',
  a: { device: 'p1', address: '10.77.1.2/24' },
  b: { netns: '/run/netns/server', device: 'p1', address: '10.77.1.1/24' },
  rateBps: 5_000_000,
  delayMs: 10,
  lossRatio: 0,
  queueBytes: 60_000,
  seed: 3,
};
const ENDS =
  'link p1 a.netns=- a.dev=p1 a.addr=10.77.1.2/24 b.netns=/run/netns/server b.dev=p1 b.addr=10.77.1.1/24';

describe('linkCommand', () => {
  it('writes values of both directions once', () => {
    expect(linkCommand(plain)).toBe(
      `${ENDS} rate=5000000 delay_us=10000 loss=0 queue_bytes=60000 seed=3`,
    );
  });

  it('gives one direction a trace, another queue and losses in bursts', () => {
    const line = linkCommand({
      ...plain,
      queue: { discipline: 'fq_pie', targetMs: 5, ecn: true },
      ab: { queue: { discipline: 'droptail' } },
      ba: {
        trace: { name: 'lte', once: true },
        burstLoss: { goodToBad: 0.01, badToGood: 0.3 },
        jitter: { shape: 'normal', spreadMs: 2, mayReorder: true },
        outages: { outages: [{ atMs: 20_000, durationMs: 500 }], periodMs: 30_000 },
      },
    });
    expect(line).toBe(
      `${ENDS} rate.ab=5000000 delay_us=10000 loss.ab=0 loss.ba=ge:0.01:0.3:1:0 queue.ab=droptail queue.ba=fq_pie ` +
        'queue_bytes=60000 target_us=5000 ecn=1 trace.ba=lte:once jitter.ba=normal:2000:reorder ' +
        'outages.ba=20000000+500000/30000000 seed=3',
    );
  });

  it('prefers the rate of a direction to a trace of both', () => {
    const line = linkCommand({ ...plain, trace: { name: 'lte' }, ab: { rateBps: 1_000_000 } });
    expect(line).toContain(' rate.ab=1000000 ');
    expect(line).toContain(' trace.ba=lte ');
    expect(line).not.toMatch(/rate\.ba|rate=|trace\.ab|trace=/);
  });
});

describe('setCommand', () => {
  it('reverts the settings that are null, in one direction or both', () => {
    expect(setCommand('p1', { state: 'up', jitter: null, ab: { trace: null, delayMs: 0.5 } })).toBe(
      'set p1 up jitter=- trace.ab=- delay_us.ab=500',
    );
    expect(setCommand('p1', { outages: { outages: [] } })).toBe('set p1 outages=-');
  });
});

describe('traceCommands', () => {
  it('splits a long trace into lines the emulator accepts, without losing a step', () => {
    const steps = Array.from({ length: 5_000 }, (_, index) => ({
      durationMs: 1 + index / 10,
      rateBps: index * 1000,
      ...(index % 2 === 0 ? { delayMs: 20 } : {}),
    }));
    const lines = traceCommands('lte', steps);
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(8_000);
    const words = lines.flatMap((line) => line.split(' ').slice(2));
    expect(words).toHaveLength(5_000);
    expect(words[0]).toBe('1000:0:20000');
    expect(words[4_999]).toBe('500900:4999000');
  });
});
