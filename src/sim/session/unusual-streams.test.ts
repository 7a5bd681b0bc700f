import { describe, expect, test } from 'vitest';
import { expectSane, played, undisturbed } from './testing/disturbed';
import { bitratesBps } from './testing/play';

describe('unusual streams', () => {
  test.each(['mptcp', 'ranges'] as const)(
    'a buffer that fills within a period of the feed does not fill with the lowest rung: %s',
    (kind) => {
      const paths = ['wifi', 'lte'].map((id) => ({ id, rateBps: 400e6, delayMs: 1 }));
      const result = played({ paths, carriage: { kind } });
      expectSane(result);
      const rungs = result.events.flatMap((event) =>
        event.type === 'request' && event.kind === 'media' && event.mediaType === 'video'
          ? [event.rung]
          : [],
      );
      expect(rungs.filter((rung) => rung === 0).length).toBeLessThan(5);
    },
  );

  test('a ladder with one rung: that one, and paths are still chosen', () => {
    const result = played({ bitratesBps: [1_500_000] });
    expectSane(result, 1);
    const chosen = result.decisions.flatMap(({ rungs }) => rungs.video ?? []);
    expect(chosen.length).toBeGreaterThan(10);
    expect(new Set(chosen)).toEqual(new Set([0]));
    expect(result.decisions.at(-1)?.pathReason).toMatch(/wifi|lte/);
    expect(result.decisions.some(({ abandon }) => abandon)).toBe(false);
  });

  test('unknown sizes: the bit rate replaces them', () => {
    const result = played({
      filterInput: (input) => {
        if (input.type !== 'decide') return [input];
        const requests = input.observation.requests.map((one) => ({
          ...one,
          bytesTotal: undefined,
        }));
        const observation = { ...input.observation, requests, nextSegments: undefined };
        return [{ ...input, observation }];
      },
    });
    expectSane(result);
    const share = result.summary.averageBitrateBps / undisturbed.summary.averageBitrateBps;
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(1.15);
  });

  test('a buffer target of one segment: no stall, and not the lowest rung', () => {
    const result = played({ bufferTargetMs: 2000 });
    expectSane(result);
    expect(result.summary.averageBitrateBps).toBeGreaterThan(1.5e6);
  });

  test('a buffer target of a minute: it is filled, and playback does not wait for that', () => {
    const ladder = bitratesBps.slice(0, 5);
    const result = played({ bufferTargetMs: 60_000, durationMs: 90_000, bitratesBps: ladder });
    expectSane(result, ladder.length);
    const levels = result.events.flatMap((event) =>
      event.type === 'player' ? [event.bufferMs] : [],
    );
    expect(Math.max(...levels)).toBeGreaterThan(45_000);
    expect(result.summary.averageBitrateBps).toBeGreaterThan(0.9 * (ladder.at(-1) ?? 0));
  });

  test('live, six seconds behind the edge: no stall, and unavailable segments are not planned', () => {
    const windowMs = 6000;
    const live = (bufferMs: number) => ({
      latencyMs: windowMs,
      targetLatencyMs: windowMs,
      availableMs: Math.max(0, windowMs - bufferMs),
    });
    const options = { bufferTargetMs: windowMs };
    const result = played({
      ...options,
      filterInput: (input) => {
        if (input.type !== 'decide') return [input];
        const { observation } = input;
        return [
          {
            ...input,
            observation: { ...observation, live: live(observation.bufferMs.video ?? 0) },
          },
        ];
      },
    });
    expectSane(result);
    expect(result.summary.averageBitrateBps).toBeGreaterThan(
      0.8 * played(options).summary.averageBitrateBps,
    );
  });
});
