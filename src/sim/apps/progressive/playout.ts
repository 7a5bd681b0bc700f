import type { Simulation } from '../../engine/simulation';
import { Timer } from '../../engine/timer';
import type { Film } from './film';

export interface PlayoutOptions {
  /** Video needed before the first picture, and before playback resumes after an underflow. */
  bufferMs: number;
  /** Rate of late frames relative to the film's rate; 1 or more. */
  catchUpRate: number;
  /** A delay above this shifts the player's clock: it shows what it has at the film's own rate. */
  maxLateMs: number;
}

export interface Underflow {
  atMs: number;
  durationMs: number;
}

/** The viewer's result. Times count from the start of the simulation. */
export interface PlayoutReport {
  frames: number;
  shown: number;
  /** Frames that were incomplete at their time. */
  discards: number;
  underflows: Underflow[];
  /** Time of the first picture; undefined: never shown. */
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

/**
 * A player of a film that arrives as one file (paper `sticky-path-switching`, sections V and VI). Each frame
 * has a time. A frame that is complete by then is shown, an incomplete one is discarded. A frame without any
 * byte is an underflow: the picture freezes until the buffer is full again, then plays faster until no frame
 * is late.
 */
export class Playout {
  readonly #simulation: Simulation;
  readonly #film: Film;
  readonly #options: PlayoutOptions;
  readonly #onTurn: () => void;
  readonly #timer: Timer;
  readonly #underflows: Underflow[] = [];
  #state: 'filling' | 'playing' | 'over' = 'filling';
  /** The next frame to show or discard. */
  #frame = 0;
  /** Time of the first frame on the current clock. */
  #clockNs: number | undefined;
  #frozenNs: number | undefined;
  #startedNs: number | undefined;
  #endedNs: number | undefined;
  #bufferedBytes = 0;
  #shown = 0;
  #discards = 0;

  /** @param onTurn called after each frame's turn, when the buffer may take more */
  constructor(simulation: Simulation, film: Film, options: PlayoutOptions, onTurn: () => void) {
    this.#simulation = simulation;
    this.#film = film;
    this.#options = options;
    this.#onTurn = onTurn;
    this.#timer = new Timer(simulation, () => this.#turn());
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** End offset in the film up to which the buffer accepts bytes. */
  get wantedBytes(): number {
    const ahead = Math.ceil((this.#options.bufferMs * 1e6) / this.#film.frameNs);
    return this.#endOf(this.#frame + ahead - 1);
  }

  /** Reports that the film is buffered up to this byte. */
  fill(bufferedBytes: number): void {
    this.#bufferedBytes = bufferedBytes;
    if (this.#state !== 'filling' || bufferedBytes < this.wantedBytes) return;
    const { nowNs } = this.#simulation;
    this.#state = 'playing';
    this.#underflows.push(...this.#present());
    this.#frozenNs = undefined;
    this.#startedNs ??= nowNs;
    const lateNs = this.#clockNs === undefined ? Infinity : nowNs - this.#dueNs(this.#frame);
    if (lateNs > this.#options.maxLateMs * 1e6) {
      this.#clockNs = nowNs - this.#frame * this.#film.frameNs;
    }
    this.#timer.setAt(nowNs);
  }

  report(): PlayoutReport {
    const toMs = (ns: number | undefined): number | undefined =>
      ns === undefined ? undefined : ns / 1e6;
    return {
      frames: this.#film.endBytes.length,
      shown: this.#shown,
      discards: this.#discards,
      underflows: [...this.#underflows, ...this.#present()],
      startedAtMs: toMs(this.#startedNs),
      endedAtMs: toMs(this.#endedNs),
    };
  }

  /** The current underflow, if there is one. */
  #present(): Underflow[] {
    if (this.#frozenNs === undefined) return [];
    const durationMs = (this.#simulation.nowNs - this.#frozenNs) / 1e6;
    return [{ atMs: this.#frozenNs / 1e6, durationMs }];
  }

  /** Frames past the last one have the film's end offset. */
  #endOf(frame: number): number {
    return this.#film.endBytes[frame] ?? this.#film.endBytes.at(-1) ?? 0;
  }

  #dueNs(frame: number): number {
    return (this.#clockNs ?? 0) + frame * this.#film.frameNs;
  }

  #turn(): void {
    const { nowNs } = this.#simulation;
    const startBytes = this.#frame === 0 ? 0 : this.#endOf(this.#frame - 1);
    if (this.#bufferedBytes <= startBytes) {
      this.#state = 'filling';
      this.#frozenNs = nowNs;
      return;
    }
    if (this.#bufferedBytes >= this.#endOf(this.#frame)) this.#shown += 1;
    else this.#discards += 1;
    this.#frame += 1;
    if (this.#frame === this.#film.endBytes.length) {
      this.#state = 'over';
      this.#endedNs = nowNs;
    } else {
      const soonestNs = nowNs + Math.round(this.#film.frameNs / this.#options.catchUpRate);
      this.#timer.setAt(Math.max(this.#dueNs(this.#frame), soonestNs));
    }
    this.#onTurn();
  }
}
