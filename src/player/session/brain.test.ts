import { describe, expect, it } from 'vitest';
import { replayLog } from '../../journal';
import type { BrainConfig, BrainDecision, BrainObservation } from '../../brain';
import type { Ladder } from '../../core';
import type { TransportMessage } from '../../ports';
import type { LogEvent } from '../../session-log';
import { Brain } from './brain';

const ladder: Ladder = {
  mediaType: 'video',
  rungs: [300_000, 1_000_000, 3_000_000].map((bitrateBps, index) => ({
    index,
    representationId: String(index),
    bitrateBps,
  })),
};
const look = {
  ladders: [ladder],
  currentRung: { video: 2 },
  bufferMs: { video: 9000 },
  bufferTargetMs: 18_000,
  playing: true,
  requests: [],
  segmentDurationMs: { video: 2000 },
  control: 'none' as const,
};
const config: BrainConfig = { policy: 'all', abr: 'multipath' };
const at = (address: string) => ({ address, port: 443 });

function setUp() {
  let nowMs = 0;
  let seen: Partial<BrainObservation> = {};
  const decisions: BrainDecision[] = [];
  const events: LogEvent[] = [];
  const brain = new Brain({
    clock: { nowMs: () => nowMs },
    config,
    decides: true,
    emit: (event) => events.push({ ...event, monotonicMs: nowMs }),
  });
  brain.begin({
    observe: (trigger, mediaType) => ({
      ...look,
      ...seen,
      monotonicMs: nowMs,
      trigger,
      ...(mediaType ? { mediaType } : {}),
    }),
    onDecision: (decision) => decisions.push(decision),
  });
  const received = { wlan0: 0, wwan0: 0 };
  const rttUs: Record<'wlan0' | 'wwan0', number | undefined> = {
    wlan0: undefined,
    wwan0: undefined,
  };
  const receive = (message: TransportMessage): void => {
    if (message.type === 'samples') {
      events.push({ type: 'samples', monotonicMs: nowMs, batch: message.batch });
    }
    brain.onTransport(message);
  };
  /** Ten seconds of samples with a request outstanding. */
  const feed = (wlanBps: number, wwanBps: number): void => {
    brain.requestStarted({ requestId: 1, startMs: nowMs });
    for (let i = 0; i < 100; i += 1) {
      nowMs += 100;
      received.wlan0 += wlanBps / 80;
      received.wwan0 += wwanBps / 80;
      receive(samples());
    }
  };
  /** One sample 100 ms later, with a path seen for the first time. */
  const see = (bytes: number): void => {
    nowMs += 100;
    received.wlan0 += bytes;
    receive(samples());
  };
  const samples = (): TransportMessage => ({
    type: 'samples',
    batch: {
      monotonicMs: nowMs,
      lostSamples: 0,
      connections: [
        {
          connectionId: 'm:1',
          kind: 'mptcp',
          local: at('10.0.0.1'),
          remote: at('10.0.0.9'),
          inOrderBytes: received.wlan0 + received.wwan0,
          subflows: (['wlan0', 'wwan0'] as const).map((pathId) => ({
            subflowId: pathId,
            pathId,
            interfaceName: pathId,
            local: at(pathId),
            remote: at('10.0.0.9'),
            state: 'active',
            bytesReceived: received[pathId],
            rcvRttUs: rttUs[pathId],
          })),
        },
      ],
    },
  });
  const down = (interfaceName: string): void =>
    brain.onTransport({
      type: 'path',
      event: { monotonicMs: nowMs, kind: 'interface-down', interfaceName },
    });
  const show = (next: Partial<BrainObservation>): void => {
    seen = { ...seen, ...next };
  };
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return { brain, rttUs, feed, see, down, decisions, events, show, wait };
}

describe('Brain', () => {
  it('has no opinion without a path feed, whatever the requests carried', () => {
    const { brain } = setUp();
    brain.requestStarted({ requestId: 1, startMs: 0 });
    brain.requestEnded({
      requestId: 1,
      kind: 'media',
      startMs: 0,
      firstByteMs: 20,
      endMs: 1000,
      bytes: 500_000,
      outcome: 'ok',
    });
    expect(brain.forecast().basis).toBe('requests');
    expect(brain.trusted()).toBeUndefined();
    expect(brain.select('video')).toBeUndefined();
  });

  it('decides from the first answer on over visible paths, carefully', () => {
    const { brain, see, show, wait } = setUp();
    const answer = { requestId: 1, startMs: 0, firstByteMs: 5, endMs: 20, bytes: 75_000 };
    brain.requestStarted(answer);
    see(75_000);
    brain.requestEnded({ ...answer, kind: 'media', outcome: 'ok' });
    // One small answer at 30 Mbit/s.
    expect(brain.forecast().basis).toBe('requests');
    show({ currentRung: { video: 0 }, bufferMs: { video: 2000 } });
    expect(brain.select('video')?.rung).toBeGreaterThan(0);
    // The feed falls silent, so dash.js decides again.
    wait(10_000);
    expect(brain.select('video')).toBeUndefined();
  });

  it('expects the last segment’s size of the next one, ignoring initialization segments', () => {
    const { brain, feed, show, rttUs } = setUp();
    Object.assign(rttUs, { wlan0: 20_000, wwan0: 420_000 });
    show({ control: 'all' });
    feed(3_000_000, 2_000_000);
    const ended = (kind: 'init' | 'media', bytes: number): number => {
      const times = { startMs: 9000, endMs: 10_000 };
      brain.requestEnded({
        requestId: 1,
        kind,
        mediaType: 'video',
        ...times,
        bytes,
        outcome: 'ok',
      });
      brain.select('video');
      return brain.forecast().rateBps;
    };
    const before = ended('media', 625_000);
    expect(ended('init', 1200)).toBe(before);
    expect(ended('media', 1200)).toBeLessThan(0.9 * before);
  });

  it('chooses by the sum of the paths, and by less at once after a path loss', () => {
    const { brain, feed, down, decisions, show } = setUp();
    feed(3_000_000, 2_000_000);
    expect(brain.select('video')?.rung).toBe(2);
    down('wlan0');
    expect(decisions.at(-1)?.trigger).toBe('path-event');
    show({ bufferMs: { video: 2500 } });
    expect(brain.select('video')?.rung).toBe(1);
  });

  it.each([
    ['over byte ranges', 'ranges', expect.objectContaining({ requestId: 7, toRung: 0 }) as unknown],
    // A new connection would begin on the path of the default route, whatever its state.
    ['over MPTCP it is kept', 'mptcp', undefined],
  ] as const)(
    'abandons a request once after a path loss makes it hopeless: %s',
    (_, carriage, abandoned) => {
      const { brain, feed, see, down, show } = setUp();
      brain.configure({ ...config, carriage });
      feed(3_000_000, 600_000);
      show({
        bufferMs: { video: 2200 },
        requests: [
          {
            requestId: 7,
            mediaType: 'video',
            rung: 2,
            startMs: 9900,
            bytesLoaded: 10_000,
            bytesTotal: 750_000,
            durationMs: 2000,
          },
        ],
      });
      see(40_000);
      expect(brain.judge(7)).toEqual({ abandon: undefined });
      down('wlan0');
      expect(brain.judge(7)?.abandon).toEqual(abandoned);
      expect(brain.judge(7)).toEqual({ abandon: undefined });
    },
  );

  it('logs events that replay to the same decisions', () => {
    const { brain, feed, down, decisions, events } = setUp();
    feed(3_000_000, 2_000_000);
    brain.select('video');
    brain.configure({ ...config, policy: 'single-best' });
    down('wlan0');
    brain.trusted();
    const written = JSON.parse(JSON.stringify(events)) as LogEvent[];
    expect(replayLog(written)).toEqual({ decisions: decisions.length });
  });

  it('leaves the decisions to dash.js when the feed ends or falls silent', () => {
    const closed = setUp();
    closed.feed(3_000_000, 2_000_000);
    expect(closed.brain.trusted()).toBeDefined();
    closed.brain.onTransport({ type: 'closed', reason: 'killed' });
    expect(closed.brain.trusted()).toBeUndefined();

    const silent = setUp();
    silent.feed(3_000_000, 2_000_000);
    silent.brain.requestEnded({
      requestId: 1,
      kind: 'media',
      startMs: 0,
      endMs: 10_000,
      bytes: 6_250_000,
      outcome: 'ok',
    });
    silent.wait(10_000);
    expect(silent.brain.trusted()).toBeUndefined();
  });
});
