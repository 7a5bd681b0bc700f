import { formatSeconds } from '../../core';
import type { TrialPlan } from '../../scenario';
import { megabit } from '../host/output';

/** Progress that the child of a trial reports about once a second, as JSON lines on its standard output. */
export interface LiveFigures {
  /** Media time, not wall-clock time. */
  positionMs?: number | undefined;
  bufferMs?: number | undefined;
  bitrateBps?: number | undefined;
  stalls: number;
  paths: readonly { id: string; rateBps: number }[];
}

/** `1 h 05 min`, `12 min`, `40 s` */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Estimates the remaining time: from the finished trials, and before that from the playing time. */
export class Progress {
  #done = 0;
  /** Trials with a meaningful duration. */
  #finished = 0;
  #spentMs = 0;

  readonly #lanes: number;
  readonly #guessMs: number;
  readonly #total: number;

  constructor(
    /** Trials of this run, all scenarios together, without those of earlier runs. */
    total: number,
    /** Minimum duration of a trial: its playing time. */
    guessMs: number,
    /** Trials that run at the same time. */
    lanes = 1,
  ) {
    this.#lanes = lanes;
    this.#guessMs = guessMs;
    this.#total = total;
  }

  /** @param tookMs undefined if it does not represent the others, such as for a trial that failed at once */
  finished(tookMs?: number): void {
    this.#done += 1;
    if (tookMs === undefined) return;
    this.#finished += 1;
    this.#spentMs += tookMs;
  }

  #eachMs(): number {
    return this.#finished === 0 ? this.#guessMs : this.#spentMs / this.#finished;
  }

  /** @param runningMs elapsed time of the running trial */
  leftMs(runningMs = 0): number {
    const each = this.#eachMs();
    const batches = Math.ceil((this.#total - this.#done) / this.#lanes);
    return Math.max(0, batches * each - Math.min(runningMs, each));
  }
}

/** `[lab] two-equal: trial 3 of 10, dynamic@mptcp, repetition 2; about 4 min left` */
export function trialLine(
  scenario: string,
  { number, player, trial }: TrialPlan,
  total: number,
  leftMs: number,
): string {
  return `[lab] ${scenario}: trial ${number} of ${total}, ${player}, repetition ${trial}; about ${timeLeft(leftMs)} left`;
}

const stallsText = (count: number): string => `${count} ${count === 1 ? 'stall' : 'stalls'}`;

/** The figures of a running trial in one line. */
export function figuresLine({ bufferMs, bitrateBps, stalls, paths }: LiveFigures): string {
  return [
    ...(bitrateBps === undefined ? [] : [megabit(bitrateBps)]),
    ...(bufferMs === undefined ? [] : [`buffer ${formatSeconds(bufferMs)}`]),
    stallsText(stalls),
    ...paths.map(({ id, rateBps }) => `${id} ${megabit(rateBps)}`),
  ].join(', ');
}

/** The figures of several simultaneous trials, by label. */
export function manyFiguresLine(running: ReadonlyMap<string, LiveFigures | undefined>): string {
  const [only, ...more] = running.values();
  if (more.length === 0) return only === undefined ? '' : figuresLine(only);
  return [...running]
    .map(([name, figures]) => {
      if (figures === undefined) return `${name} starts`;
      const { bitrateBps, bufferMs = 0, stalls } = figures;
      const rate = bitrateBps === undefined ? '' : `${megabit(bitrateBps)}, `;
      return `${name} ${rate}${formatSeconds(bufferMs)}, ${stallsText(stalls)}`;
    })
    .join(' | ');
}
