import { createRandom, drawLogUniform, type Random } from '../../core';
import type { PairFilm, PairLink, PairPath } from './pair-types';

type Range = readonly [number, number];

/** All ranges are chosen; no measurement. */
const TOTAL_KBPS: Range = [800, 20_000];
/** The two means are up to this many times apart. */
const MAX_RATIO = 20;
const DELAY_MS: Range = [3, 250];
/** Length of a queue in time at the mean rate. */
const QUEUE_MS: Range = [50, 2000];
const MIN_QUEUE_BYTES = 15_000;
const LOSSY_SHARE = 0.15;
const LOSS: Range = [0.0005, 0.03];
const SHAPES = ['constant', 'steps', 'fades', 'rising', 'outage'] as const;
/** Top rung over the sum of the means. */
const TOP_RATIO: Range = [0.6, 1.6];
const RUNGS = [4, 5, 6, 7, 8];
/** From one rung to the next. */
const RUNG_STEPS = [1.5, 1.7, 2];
const MIN_RUNG_KBPS = 100;
const SEGMENTS_MS = [1000, 2000, 2000, 3000, 4000, 4000, 6000];
const STEP_MS = 1000;

/**
 * A pair that is like no recording: any rate, delay, queue and course of two networks, and a film with a ladder and segments
 * of its own. What is chosen for walks and traces with one ladder shows here whether it carries over.
 */
export function otherPair(
  random: Random,
  seconds: number,
): { paths: readonly [PairPath, PairPath]; film: PairFilm } {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const between = (range: Range): number => drawLogUniform(random, range);
  const totalKbps = between(TOTAL_KBPS);
  const ratio = MAX_RATIO ** (2 * random() - 1);
  const path = (id: PairPath['id'], share: number): PairPath => {
    const meanKbps = totalKbps * share;
    const shape = one(SHAPES);
    const queueBytes = Math.max(MIN_QUEUE_BYTES, (meanKbps / 8) * between(QUEUE_MS));
    const link: PairLink = {
      delayMs: Math.round(between(DELAY_MS)),
      queueBytes: 1000 * Math.round(queueBytes / 1000),
      ...(random() < LOSSY_SHARE ? { lossRatio: Math.round(1e4 * between(LOSS)) / 1e4 } : {}),
    };
    // Numbers of its own: a longer course begins with the shorter one, and all else is the same.
    const course = courseOf(shape, seconds, createRandom(Math.floor(random() * 2 ** 31)));
    const kbps = course.map((factor) => Math.round(meanKbps * factor));
    return { id, source: `other/${shape}`, stepMs: STEP_MS, kbps, link };
  };
  const paths = [path('wifi', ratio / (1 + ratio)), path('lte', 1 / (1 + ratio))] as const;
  const ladderBps: number[] = [];
  let kbps = totalKbps * between(TOP_RATIO);
  for (let left = one(RUNGS); left > 0 && kbps >= MIN_RUNG_KBPS; left -= 1) {
    ladderBps.unshift(1000 * Math.round(kbps));
    kbps /= one(RUNG_STEPS);
  }
  return { paths, film: { ladderBps, segmentMs: one(SEGMENTS_MS) } };
}

/** The rate of every second over its mean. */
function courseOf(shape: (typeof SHAPES)[number], seconds: number, random: Random): number[] {
  const between = (range: Range): number => drawLogUniform(random, range);
  const course: number[] = [];
  const add = (factor: number, length: number): void => {
    for (let left = Math.round(length); left > 0; left -= 1) course.push(factor);
  };
  while (course.length < seconds) {
    if (shape === 'steps') add(between([0.2, 1.8]), between([2, 20]));
    else if (shape === 'fades') {
      add(1, between([5, 30]));
      add(between([0.005, 0.1]), between([1, 15]));
    } else if (shape === 'rising') {
      for (let second = 0; second < 12; second += 1) add(0.3 + (1.4 * second) / 12, 1);
    } else if (shape === 'outage') {
      add(1, between([5, 40]));
      add(0, between([1, 20]));
      add(1, seconds);
    } else add(1, seconds);
  }
  return course.slice(0, seconds);
}
