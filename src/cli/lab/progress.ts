import type { TrialPlan } from '../../scenario';

/** What the child that plays a trial tells about once a second, as JSON lines on its standard output. */
export interface LiveFigures {
  /** Of the media, not of the clock. */
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

/** Estimates how long the rest takes: by what finished ones took, before that by what they play. */
export class Progress {
  #done = 0;
  /** Those whose time says something. */
  #told = 0;
  #toldMs = 0;

  constructor(
    /** Trials of this run, all scenarios together, without those finished before. */
    private readonly total: number,
    /** How long a trial takes at least: its playing time. */
    private readonly guessMs: number,
    /** Trials that run at the same time. */
    private readonly lanes = 1,
  ) {}

  /** @param tookMs undefined where it says nothing of the others, such as a trial that failed at once */
  finished(tookMs?: number): void {
    this.#done += 1;
    if (tookMs === undefined) return;
    this.#told += 1;
    this.#toldMs += tookMs;
  }

  private eachMs(): number {
    return this.#told === 0 ? this.guessMs : this.#toldMs / this.#told;
  }

  /** @param runningMs how long the running trial has been at it */
  leftMs(runningMs = 0): number {
    const each = this.eachMs();
    const rounds = Math.ceil((this.total - this.#done) / this.lanes);
    return Math.max(0, rounds * each - Math.min(runningMs, each));
  }
}

const megabit = (bps: number): string => `${(bps / 1e6).toFixed(2)} Mbit/s`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** `[lab] two-equal: trial 3 of 10, dynamic@mptcp, round 2; about 4 min left` */
export function trialLine(
  scenario: string,
  { number, player, trial }: TrialPlan,
  total: number,
  leftMs: number,
): string {
  return `[lab] ${scenario}: trial ${number} of ${total}, ${player}, round ${trial}; about ${timeLeft(leftMs)} left`;
}

const stallsText = (count: number): string => `${count} ${count === 1 ? 'stall' : 'stalls'}`;

/** The figures of a running trial in one line. */
export function figuresLine({ bufferMs, bitrateBps, stalls, paths }: LiveFigures): string {
  return [
    ...(bitrateBps === undefined ? [] : [megabit(bitrateBps)]),
    ...(bufferMs === undefined ? [] : [`buffer ${seconds(bufferMs)}`]),
    stallsText(stalls),
    ...paths.map(({ id, rateBps }) => `${id} ${megabit(rateBps)}`),
  ].join(', ');
}

/** Those of several trials that run at the same time, by what they are called. */
export function manyFiguresLine(running: ReadonlyMap<string, LiveFigures | undefined>): string {
  const [only, ...more] = running.values();
  if (more.length === 0) return only === undefined ? '' : figuresLine(only);
  return [...running]
    .map(([name, figures]) => {
      if (figures === undefined) return `${name} starts`;
      const { bitrateBps, bufferMs = 0, stalls } = figures;
      const rate = bitrateBps === undefined ? '' : `${megabit(bitrateBps)}, `;
      return `${name} ${rate}${seconds(bufferMs)}, ${stallsText(stalls)}`;
    })
    .join(' | ');
}
