import { describe, expect, it } from 'vitest';
import type { LinkOptions } from './link-emulator-options';
import { kernelStats } from './link-kernel';
import { kernelChange, kernelLinkCommands, planKernelLink, queueArgs } from './link-kernel-plan';

const plain: LinkOptions = {
  name: 'wifi',
  a: { device: 'wifi', address: '10.0.0.2/24' },
  b: { netns: '/run/netns/r1', device: 'wifi' },
  seed: 1,
  rateBps: 5_000_000,
  delayMs: 10,
  queue: { discipline: 'pie', targetMs: 15 },
  ba: { rateBps: null, delayMs: 0, lossRatio: 0, queue: { discipline: 'droptail' } },
};

function lines(options: LinkOptions): string[] {
  return kernelLinkCommands(options, 3).map(
    ({ netns, argv }) => `${netns ?? '-'} ${argv.join(' ')}`,
  );
}

describe('kernelLinkCommands', () => {
  it('creates a pair, moves its ends, and puts netem, rate and queue at each sender', () => {
    expect(lines(plain)).toEqual([
      '- ip link add mpdk3a type veth peer name mpdk3b',
      '- ip link set dev mpdk3a name wifi',
      '- ip link set dev wifi gso_max_segs 1 up',
      '- ip address add 10.0.0.2/24 dev wifi nodad',
      '- ip link set dev mpdk3b name wifi netns /run/netns/r1',
      '/run/netns/r1 ip link set dev wifi gso_max_segs 1 up',
      '- tc qdisc add dev wifi root handle 1: netem limit 200000 delay 10000us',
      '- tc qdisc add dev wifi parent 1:1 handle 2: tbf rate 5046667bit burst 3028 limit 1000000000',
      '- tc qdisc add dev wifi parent 2:1 handle 3: pie limit 1000 target 15000us tupdate 15000us noecn',
      '/run/netns/r1 tc qdisc add dev wifi root handle 1: bfifo limit 60560',
    ]);
  });

  it('gives tbf a burst of one millisecond at a high rate', () => {
    const fast = { ...plain, rateBps: 100_000_000, delayMs: 0 };
    expect(lines(fast)).toContain(
      '- tc qdisc add dev wifi root handle 1: tbf rate 100933333bit burst 12500 limit 1000000000',
    );
  });

  it.each([
    [{ trace: { name: 't' } }, 'ab.trace'],
    [{ middlebox: { stripMpJoin: true } }, 'middlebox'],
    [{ outages: { outages: [{ atMs: 1, durationMs: 1 }] } }, 'ab.outages'],
  ])('refuses what only the emulator does: %j', (extra, field) => {
    expect(() => lines({ ...plain, ...extra })).toThrow(`link wifi: ${field}`);
  });
});

describe('queueArgs', () => {
  it('names the qdisc of each discipline with its limits', () => {
    expect(queueArgs({ discipline: 'droptail', limitPackets: 50 }, undefined).join(' ')).toBe(
      'pfifo limit 50',
    );
    expect(queueArgs({ discipline: 'fq_codel', ecn: true }, 150_000).join(' ')).toBe(
      'fq_codel limit 100 target 5000us interval 100000us flows 1024 quantum 1514 ecn',
    );
    // CoDel has no update interval: it has no effect.
    expect(queueArgs({ discipline: 'codel', updateMs: 15 }, undefined).join(' ')).toBe(
      'codel limit 1000 target 5000us interval 100000us noecn',
    );
    expect(queueArgs({ discipline: 'fq_pie', flows: 16 }, undefined).join(' ')).toBe(
      'fq_pie limit 10240 target 15000us tupdate 15000us flows 16 quantum 1514 noecn',
    );
  });
});

describe('kernelChange', () => {
  const link = planKernelLink(plain);

  it('changes rate and losses in place, and keeps all other fields', () => {
    const { commands, link: after } = kernelChange(link, {
      ab: { rateBps: 1_000_000, lossRatio: 0.01 },
    });
    expect(commands.map(({ argv }) => argv.slice(2).join(' '))).toEqual([
      'change dev wifi root handle 1: netem limit 200000 delay 10000us loss 1%',
      'change dev wifi parent 1:1 handle 2: tbf rate 1009333bit burst 3028 limit 1000000000',
    ]);
    expect(after.ab.options).toMatchObject({ delayMs: 10, rateBps: 1_000_000 });
  });

  it('emulates a blackhole, and refuses to take the carrier down', () => {
    const both = planKernelLink({ ...plain, ba: { delayMs: 5 } });
    const { commands } = kernelChange(both, { state: 'blackhole' });
    expect(commands.every(({ argv }) => argv.join(' ').endsWith('loss 100%'))).toBe(true);
    expect(() => kernelChange(both, { state: 'down' })).toThrow('use blackhole');
    expect(() => kernelChange(link, { ba: { delayMs: 5 } })).toThrow('link wifi: ba');
  });
});

describe('kernelStats', () => {
  it('reads losses from netem and the rest from the queue', () => {
    const zero = { bytes: 0, packets: 0, drops: 0, backlog: 0, qlen: 0, ecn_mark: 0, delay: 0 };
    const stats = kernelStats(planKernelLink(plain).ab, [
      { ...zero, kind: 'netem', drops: 8, prob: 0 },
      { ...zero, kind: 'tbf', drops: 5, prob: 0 },
      { ...zero, kind: 'pie', drops: 5, packets: 100, bytes: 150_000, prob: 0.2, delay: 14_000 },
    ]);
    expect(stats).toMatchObject({ queue: 'pie', lossDrops: 3, queueDrops: 5, outPackets: 100 });
    expect(stats).toMatchObject({ dropProbability: 0.2, queueDelayMeanUs: 14_000 });
    // 14 bytes of each frame are no part of the IP packet.
    expect(stats).toMatchObject({ inPackets: 108, outBytes: 148_600 });
  });

  it('has no delay of a queue that reports none', () => {
    const queue = { kind: 'bfifo', bytes: 0, packets: 0, drops: 0, backlog: 3028, qlen: 2 };
    const stats = kernelStats(planKernelLink(plain).ba, [{ ...queue, ecn_mark: 0, prob: 0 }]);
    expect(stats).toMatchObject({ queueBytes: 3000 });
    expect(stats).not.toHaveProperty('queueDelayMeanUs');
  });
});
