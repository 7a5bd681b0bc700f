import { describe, expect, it } from 'vitest';
import { createSummary, type SessionSummary } from '../../qoe';
import { expandTopology, type TimelineEvent } from '../../scenario';
import type { LogEvent } from '../../session-log';
import { referenceRules } from '../../abr';
import { statelessController } from '../controllers/controller';
import { Cubic } from '../congestion/cubic';
import { MinRtt } from '../schedulers/min-rtt';
import type { SessionCarriageSpec, SimSessionOptions, SimPlayer } from './session-options';
import { simulateSession } from './simulate-session';

const ladder = [0.3e6, 1e6, 3e6, 6e6];
const SEGMENTS = 60;
const queue = { discipline: 'droptail' as const };
const robustMpc: SimPlayer = {
  kind: 'controller',
  create: () => statelessController('robust-mpc', referenceRules['robust-mpc']),
};
const ours: SimPlayer = { kind: 'brain', config: { policy: 'all', abr: 'multipath' } };

function play(
  player: SimPlayer,
  carriage: SessionCarriageSpec,
  events: TimelineEvent[] = [],
): { events: LogEvent[]; summary: SessionSummary } {
  const path = (id: string, rateBps: number, delayMs: number) => {
    const direction = { rateBps, delayMs, queue, queueBytes: 60_000 };
    return { id, down: direction, up: direction };
  };
  const paths = [path('wifi', 4e6, 10), path('lte', 3e6, 40)];
  const options: SimSessionOptions = {
    scenario: {
      name: 'ranges',
      topology: expandTopology({ kind: 'multihomed', paths }),
      traffic: [],
      events,
      durationMs: 30_000,
    },
    media: {
      segmentMs: 2000,
      video: ladder.map((bitrateBps) => ({
        bitrateBps,
        bytes: Array.from({ length: SEGMENTS }, () => bitrateBps / 4),
      })),
      audio: [{ bitrateBps: 128_000, bytes: Array.from({ length: SEGMENTS }, () => 32_000) }],
    },
    player,
    carriage,
    seed: 1,
    createScheduler: () => new MinRtt(),
    createCongestion: () => new Cubic(),
  };
  const log = simulateSession(options);
  const summary = createSummary();
  for (const event of log) summary.add(event);
  return { events: log, summary: summary.finish() };
}

describe('a session over byte ranges', () => {
  it.each([
    ['RobustMPC', robustMpc],
    ['ours', ours],
  ])('plays with %s, every segment once and in order, over both networks', (_, player) => {
    const { events, summary } = play(player, { kind: 'ranges' });
    expect(summary.stalls.count).toBe(0);
    const video = events.flatMap((event) =>
      event.type === 'request' && event.mediaType === 'video' && event.outcome === 'ok'
        ? (event.segmentIndex ?? [])
        : [],
    );
    expect(video).toEqual(video.map((__, index) => index));
    expect(summary.averageBitrateBps).toBeGreaterThan(2.5e6);
    const used = events.flatMap((event) =>
      event.type === 'samples'
        ? event.batch.connections.flatMap(({ subflows }) => subflows.map(({ pathId }) => pathId))
        : [],
    );
    expect(new Set(used)).toEqual(new Set(['wifi', 'lte']));
  });

  it('plays on without a stall when the carrier of one network goes', () => {
    const down: TimelineEvent = { kind: 'link-state', link: 'wifi', state: 'down', atMs: 10_000 };
    const { summary } = play(robustMpc, { kind: 'ranges' }, [down]);
    expect(summary.stalls.count).toBe(0);
    expect(summary.playedMs).toBeGreaterThan(29_000);
  });

  const rungs = (choose: (segment: number) => number): SimPlayer => ({
    kind: 'controller',
    create: () => {
      let segment = -1;
      return {
        name: 'fixed',
        choose: () => {
          segment += 1;
          return choose(segment);
        },
      };
    },
  });
  const videoOf = (events: readonly LogEvent[]) =>
    events.flatMap((event) =>
      event.type === 'request' && event.kind === 'media' && event.mediaType === 'video'
        ? [event]
        : [],
    );

  it('chooses a segment when the one before has arrived, and fetches it in advance', () => {
    const top = rungs(() => 3);
    const video = videoOf(play(top, { kind: 'ranges' }).events);
    const gaps = video.slice(1).map(({ startMs }, index) => startMs - (video[index]?.endMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    // Without the wait for an answer, which is a round trip of the nearer network at least. A segment that is not due
    // before the end of another medium's may be the exception.
    const waits = video
      .slice(2, 8)
      .map(({ startMs, firstByteMs = Infinity }) => firstByteMs - startMs);
    expect(waits.filter((ms) => ms < 1).length).toBeGreaterThanOrEqual(4);
  });

  it('cancels what it fetched in advance if another rung is chosen', () => {
    const { events } = play(
      rungs((segment) => 1 + (segment % 2)),
      { kind: 'ranges' },
    );
    const video = videoOf(events);
    expect(video.map(({ rung }) => rung)).toEqual(video.map((_, index) => 1 + (index % 2)));
    expect(video.map(({ segmentIndex }) => segmentIndex)).toEqual(video.map((_, index) => index));
    const waits = video.slice(2, 8).map(({ startMs, firstByteMs = 0 }) => firstByteMs - startMs);
    expect(Math.min(...waits)).toBeGreaterThan(10);
  });

  it('refuses a chunk scheduler that there is not', () => {
    expect(() => play(robustMpc, { kind: 'ranges', scheduler: 'best' })).toThrow(
      'there is no chunk scheduler "best"',
    );
  });
});
