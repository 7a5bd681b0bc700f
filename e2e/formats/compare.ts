import { expect, test } from '@playwright/test';
import type { LogEvent } from '../../src/session-log';
import type { Playing } from './playing';

/** Viewer-side measurements of one player over a few seconds. */
export interface Got {
  startupMs: number;
  /** Frames shown in that time. */
  frames: number;
  /** Declared bitrates of the arrived video segments by media time; of a segment fetched twice, the last. */
  bitratesBps: ReadonlyMap<number, number>;
  stalls: number;
}

/** This player's measurements and those of unmodified dash.js, in one pair of plays. */
export interface Pair {
  ours: Got;
  bare: Got;
}

/** Compared measurements. */
export type Aspect = 'start-up' | 'frames' | 'bitrate' | 'stalls';

const ALL_ASPECTS: readonly Aspect[] = ['start-up', 'frames', 'bitrate', 'stalls'];

/** Both players alternate on two cores, so chance alone causes these differences. It grows with the load, as dash.js's start-up does. */
const STARTUP_SLACK_MS = 2000;
const STARTUP_FACTOR = 1.5;
const FRAME_SHARE = 0.85;
const BITRATE_SHARE = 0.85;

/**
 * The films have two or three rungs up to 700 kbit/s, on a loopback link that carries each of them. dash.js
 * starts with its built-in guess of 1 Mbit/s, which is above every ladder here. Its first segment therefore has
 * the top rung without any measurement. This player takes the lowest rung until it has measured for 150 ms
 * (`rungConfig.startConfidence`). A small segment takes a few ms, a busy machine more, so chance decides how many
 * segments that takes. So the comparison counts those at the start, and compares the bitrates after them.
 */
const STARTING_SEGMENTS = 4;

/** A busy machine delays one of two players at random. A defect of the player shows in each pair of plays. */
const PAIRS = 3;
/** Time limit of one pair, with the time that a busy machine needs. */
const PAIR_TIMEOUT_MS = 120_000;

/** Waits for the first frame of each, then measures both together. */
export async function watch(players: readonly Playing[], seconds: number): Promise<Got[]> {
  for (const { log, name } of players) {
    await expect
      .poll(() => log.some((event) => event.type === 'startup'), { timeout: 60_000, message: name })
      .toBe(true);
  }
  const before = await Promise.all(players.map((player) => player.frames()));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const after = await Promise.all(players.map((player) => player.frames()));
  return players.map((player, index) => ({
    startupMs: startupMs(player.log),
    frames: (after[index]?.shown ?? 0) - (before[index]?.shown ?? 0),
    bitratesBps: videoBitratesBps(player.log),
    stalls: player.stalls(),
  }));
}

/**
 * This player shows no less than dash.js: of up to three pairs of plays, one is without a deficit.
 * @param measure plays a new pair, asserts what holds in every play, and returns the measurements
 */
export async function expectNoWorse(
  measure: () => Promise<Pair>,
  aspects: readonly Aspect[] = ALL_ASPECTS,
): Promise<void> {
  test.setTimeout(PAIRS * PAIR_TIMEOUT_MS);
  const found: string[] = [];
  for (let pairs = 0; pairs < PAIRS; pairs += 1) {
    const deficits = deficitsOf(await measure(), aspects);
    if (deficits.length === 0) return;
    found.push(deficits.join(', '));
  }
  expect(found, 'deficits of each pair of plays').toEqual([]);
}

function deficitsOf({ ours, bare }: Pair, aspects: readonly Aspect[]): string[] {
  const later = lateBitratesBps(ours, bare);
  const checks: Record<Aspect, boolean> = {
    'start-up': ours.startupMs < STARTUP_FACTOR * bare.startupMs + STARTUP_SLACK_MS,
    frames: ours.frames >= FRAME_SHARE * bare.frames,
    bitrate: later.ours > 0 && later.ours >= BITRATE_SHARE * later.bare,
    stalls: ours.stalls <= bare.stalls,
  };
  const figures: Record<Aspect, string> = {
    'start-up': `${ours.startupMs} ms against ${bare.startupMs}`,
    frames: `${ours.frames} against ${bare.frames}`,
    bitrate: `${later.ours} bit/s against ${later.bare} after ${STARTING_SEGMENTS} segments`,
    stalls: `${ours.stalls} against ${bare.stalls}`,
  };
  return aspects
    .filter((aspect) => !checks[aspect])
    .map((aspect) => `${aspect}: ${figures[aspect]}`);
}

/** Mean bitrates of the segments that both players fetched, without the first ones of each; 0 without any. */
function lateBitratesBps(ours: Got, bare: Got): { ours: number; bare: number } {
  const late = ({ bitratesBps }: Got): number[] =>
    [...bitratesBps.keys()].sort((a, b) => a - b).slice(STARTING_SEGMENTS);
  const ofBare = new Set(late(bare));
  const common = late(ours).filter((startMs) => ofBare.has(startMs));
  const mean = ({ bitratesBps }: Got): number =>
    common.reduce((sum, startMs) => sum + (bitratesBps.get(startMs) ?? 0), 0) /
    Math.max(1, common.length);
  return { ours: Math.round(mean(ours)), bare: Math.round(mean(bare)) };
}

/** Time from the call of load to the first frame; Infinity before it. */
export function startupMs(log: readonly LogEvent[]): number {
  const startup = log.find((event) => event.type === 'startup');
  return startup?.type === 'startup' ? startup.startupDelayMs : Infinity;
}

function videoBitratesBps(log: readonly LogEvent[]): Map<number, number> {
  return new Map(
    log.flatMap((event) =>
      event.type === 'request' &&
      event.kind === 'media' &&
      event.mediaType === 'video' &&
      event.outcome === 'ok' &&
      event.mediaStartMs !== undefined
        ? [[event.mediaStartMs, event.bitrateBps ?? 0] as const]
        : [],
    ),
  );
}
