import { describe, expect, it } from 'vitest';
import type { Ladder } from '../core';
import type { TransportMessage } from '../ports';
import { Brain } from './brain';

const ladder: Ladder = {
  mediaType: 'video',
  rungs: [300_000, 1_000_000, 3_000_000].map((bitrateBps, index) => ({
    index,
    representationId: String(index),
    bitrateBps,
  })),
};
const select = { ladder, currentRung: 2, bufferMs: 9000, segmentDurationMs: 2000 };
const at = (address: string) => ({ address, port: 443 });

function setUp() {
  let nowMs = 0;
  let checks = 0;
  const brain = new Brain({ clock: { nowMs: () => nowMs }, onPathEvent: () => (checks += 1) });
  const received = { wlan0: 0, wwan0: 0 };
  /** Ten seconds of samples with a request outstanding. */
  const feed = (wlanBps: number, wwanBps: number): void => {
    brain.requestStarted({ requestId: 1, startMs: nowMs });
    for (let i = 0; i < 100; i += 1) {
      nowMs += 100;
      received.wlan0 += wlanBps / 80;
      received.wwan0 += wwanBps / 80;
      brain.onTransport(samples());
    }
  };
  /** One sample, 100 ms on, in which a path was seen for the first time. */
  const see = (bytes: number): void => {
    nowMs += 100;
    received.wlan0 += bytes;
    brain.onTransport(samples());
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
  return { brain, feed, see, down, checks: () => checks, wait: (ms: number) => (nowMs += ms) };
}

describe('Brain', () => {
  it('has no opinion without a path feed, whatever requests say', () => {
    const { brain } = setUp();
    brain.requestStarted({ requestId: 1, startMs: 0 });
    brain.requestEnded({
      requestId: 1,
      startMs: 0,
      firstByteMs: 20,
      endMs: 1000,
      bytes: 500_000,
      outcome: 'ok',
    });
    expect(brain.forecast().basis).toBe('requests');
    expect(brain.trusted()).toBeUndefined();
    expect(brain.select('video', select)).toBeUndefined();
  });

  it('decides from the first answer on where paths are seen, one step at a time', () => {
    const { brain, see, wait } = setUp();
    const answer = { requestId: 1, startMs: 0, firstByteMs: 5, endMs: 40, bytes: 150_000 };
    brain.requestStarted(answer);
    see(150_000);
    brain.requestEnded({ ...answer, outcome: 'ok' });
    // 30 Mbit/s by one small answer.
    expect(brain.forecast().basis).toBe('requests');
    const first = { ...select, currentRung: 0, bufferMs: 2000 };
    expect(brain.select('video', first)?.decision.toRung).toBe(1);
    // The feed falls silent: dash.js's turn again.
    wait(10_000);
    expect(brain.select('video', first)).toBeUndefined();
  });

  it('chooses by the sum of the paths, and at once by less when one is lost', () => {
    const { brain, feed, down, checks } = setUp();
    feed(3_000_000, 2_000_000);
    expect(brain.select('video', select)?.decision.toRung).toBe(2);
    expect(checks()).toBe(0);
    down('wlan0');
    expect(checks()).toBe(1);
    const after = brain.select('video', select);
    expect(after?.decision.toRung).toBe(1);
    expect(after?.reason).toContain('path lost');
  });

  it('gives up a request that a lost path makes hopeless', () => {
    const { brain, feed, down } = setUp();
    feed(3_000_000, 600_000);
    const request = {
      requestId: 7,
      ladder,
      rung: 2,
      elapsedMs: 100,
      bytesLoaded: 10_000,
      bytesTotal: 750_000,
      segmentDurationMs: 2000,
      bufferMs: 4000,
    };
    expect(brain.judge('video', request)?.decision.abandon).toBe(false);
    down('wlan0');
    expect(brain.judge('video', request)?.decision).toEqual({ abandon: true, toRung: 0 });
  });

  it('steps aside when the feed ends or falls silent', () => {
    const dead = setUp();
    dead.feed(3_000_000, 2_000_000);
    expect(dead.brain.trusted()).toBeDefined();
    dead.brain.onTransport({ type: 'closed', reason: 'killed' });
    expect(dead.brain.trusted()).toBeUndefined();

    const silent = setUp();
    silent.feed(3_000_000, 2_000_000);
    silent.brain.requestEnded({
      requestId: 1,
      startMs: 0,
      endMs: 10_000,
      bytes: 6_250_000,
      outcome: 'ok',
    });
    silent.wait(10_000);
    expect(silent.brain.trusted()).toBeUndefined();
  });
});
