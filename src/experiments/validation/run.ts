import { dashDefaults } from '../../core';
import { optimumOver, pathCapacities, type CapacityProfile } from '../../optimum';
import { summarize } from '../../qoe';
import { mediaSizes, type MediaSizes } from '../../scenario';
import type { LogEvent } from '../../session-log';
import { congestionControls, schedulers, simulateSession, type SimPlayer } from '../../sim';
import { startPricedQoe, startWaitMs } from '../sweep/start-priced';
import { readPlayers, simPlayer } from '../sweep/sweep-player';
import { busyProfile } from './busy-connection';
import { calibrationOf, judgedForecasts } from './calibration';
import { createForesight } from './foresight';
import type { PlayerOutcome, ValidationJob, ValidationOutcome } from './job';
import { carriedMs, filmOf, lowestRate, pairScenario, qoeUnitOf } from './networks';

/** Ours over both carriages, the references over plain MPTCP and ranges, and each path alone. */
export const PLAYERS = [
  'ours@model',
  'ours@ranges',
  'robust-mpc@mptcp',
  'soda@mptcp',
  'robust-mpc@ranges',
  'robust-mpc@each-path',
];
/** Every player's buffer target, also granted to the optimum. */
const BUFFER_MS = dashDefaults.bufferMs;
/** Film after the end of a session that does not end with it. */
const REST_MS = 60_000;
/** Length of the capacity profiles after the session's end. */
const SPARE_MS = 120_000;
/** IPv4 and TCP headers without options. The optimum pays for no more, so that it stays an upper bound. */
const HEADER_BYTES = 40;
/** Half a per cent above the exact optimum, at a quarter of its time. */
const OPTIMUM = { ways: 200, stallStepMs: 100 };
/** Decides the initial numbers of connections. These links have neither jitter nor losses. */
const SEED = 1;

/** Plays one pair with every player. */
export function runValidation(job: ValidationJob): ValidationOutcome {
  const scenario = pairScenario(job);
  const { ladderBps, segmentMs } = filmOf(job.pair.film);
  const media = mediaSizes(
    {
      kind: 'ladder',
      videoBps: [...ladderBps],
      audioBps: [],
      segmentMs,
      pictures: 'small',
    },
    job.durationMs + (job.filmEnds ? 0 : REST_MS),
  );
  const untilMs = job.durationMs + SPARE_MS;
  const fluid = pathCapacities(scenario, { untilMs, headerBytes: HEADER_BYTES }).all;
  const segments = job.durationMs / segmentMs;
  const ids = job.pair.paths.map(({ id }) => id);
  const play = (player: string, how: ReturnType<typeof simPlayer>): PlayerOutcome => {
    const events = simulateSession({
      scenario,
      media,
      ...how,
      seed: SEED,
      bufferTargetMs: BUFFER_MS,
      createScheduler: schedulers.mainline,
      createCongestion: congestionControls.cubic,
      // The planner's forecasts are judged by a replay of its decisions.
      journal: true,
    });
    return { player, ...outcomeOf(job, media, events) };
  };
  // Over MPTCP a connection delivers what it does because of earlier requests, so no forecast of it is perfect.
  const foresees: SimPlayer = { kind: 'controller', create: () => createForesight(fluid) };
  return {
    optimumQoe: boundOver(fluid, media, segments),
    busyQoe: boundOver(busyProfile(scenario, SEED, untilMs), media, segments),
    players: [
      ...readPlayers(PLAYERS, ids).map((player) => play(player.id, simPlayer(player))),
      play('perfect-forecast@ranges', { player: foresees, carriage: { kind: 'ranges' } }),
    ],
  };
}

/** QoE a segment of the optimum over a capacity; null where it could not have shown the film. */
function boundOver(profile: CapacityProfile, media: MediaSizes, segments: number): number | null {
  const qoe = optimumOver(
    profile,
    media,
    // Playback may begin at once, and every moment until it does costs as much as a stall.
    { requestMs: 0, firstFrameMs: 0, firstSegment: 0, segments, qoe: 0, bufferTargetMs: BUFFER_MS },
    OPTIMUM,
  );
  return qoe === null ? null : (qoeUnitOf(media) * qoe) / segments;
}

function outcomeOf(
  job: ValidationJob,
  media: MediaSizes,
  events: readonly LogEvent[],
): Omit<PlayerOutcome, 'player'> {
  const summary = summarize(events);
  const { linearQoe, startupDelayMs, stalls } = summary;
  const lowestBps = lowestRate(media);
  const calibration = calibrationOf(judgedForecasts(events));
  return {
    segments: linearQoe?.segments ?? 0,
    // Segments that a stall kept from being shown are segments of the session, as they are for the optimum.
    qoePerSegment: qoeUnitOf(media) * startPricedQoe(summary, media, job.durationMs),
    startMs: startWaitMs(startupDelayMs, job.durationMs),
    stalledMs: stalls.totalMs,
    avoidableMs: stallSpans(events).reduce(
      (sum, { fromMs, toMs }) => sum + carriedMs(job, lowestBps, fromMs, toMs),
      0,
    ),
    ...(calibration ? { calibration } : {}),
  };
}

/** Stalls of a log, the one at its end too. */
function stallSpans(events: readonly LogEvent[]): { fromMs: number; toMs: number }[] {
  const spans: { fromMs: number; toMs: number }[] = [];
  let fromMs: number | undefined;
  for (const event of events) {
    const isEnd = event.type === 'end' || (event.type === 'stall' && event.phase === 'end');
    if (event.type === 'stall' && event.phase === 'start') fromMs = event.monotonicMs;
    else if (isEnd && fromMs !== undefined) {
      spans.push({ fromMs, toMs: event.monotonicMs });
      fromMs = undefined;
    }
  }
  return spans;
}
