import type { Simulation } from '../../engine/simulation';
import { Timer } from '../../engine/timer';
import type { Film } from './film';

export interface PlayoutOptions {
  /** Video that must be there before the first picture, and before the picture moves again after an underflow. */
  bufferMs: number;
  /** How much faster than the film late frames are shown, 1 or more. */
  catchUpRate: number;
  /** Further behind than this the player lets its clock go and shows what it has at the film's own rate. */
  maxLateMs: number;
}

export interface Underflow {
  atMs: number;
  durationMs: number;
}

/** What the viewer got. Times count from the start of the simulation. */
export interface PlayoutReport {
  frames: number;
  shown: number;
  /** Frames of which only a part was there at their time. */
  discards: number;
  underflows: Underflow[];
  /** When the first picture was shown; undefined: never. */
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

/**
 * A player of a film that comes as one file (paper `sticky-path-switching`, sections V and VI). Each frame has its
 * time. One that is whole by then is shown. One of which a part is missing is discarded. Where nothing of it is
 * there, the buffer has run dry: the picture freezes until the buffer is full again, then goes on faster until all late
 * frames have been played out.
 */
export class Playout {
  readonly #simulation: Simulation;
  readonly #film: Film;
  readonly #options: PlayoutOptions;
  readonly #onTurn: () => void;
  readonly #timer: Timer;
  readonly #underflows: Underflow[] = [];
  #state: 'filling' | 'playing' | 'over' = 'filling';
  /** The frame whose turn is next. */
  #frame = 0;
  /** When the first frame would have been shown by the clock as it is now. */
  #clockNs: number | undefined;
  #frozenNs: number | undefined;
  #startedNs: number | undefined;
  #endedNs: number | undefined;
  #heldBytes = 0;
  #shown = 0;
  #discards = 0;

  /** @param onTurn told after each frame's turn, when the buffer may take more */
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

  /** Up to which byte of the film the buffer takes. */
  get wantedBytes(): number {
    const ahead = Math.ceil((this.#options.bufferMs * 1e6) / this.#film.frameNs);
    return this.#endOf(this.#frame + ahead - 1);
  }

  /** The film is in the buffer up to this byte. */
  fill(heldBytes: number): void {
    this.#heldBytes = heldBytes;
    if (this.#state !== 'filling' || heldBytes < this.wantedBytes) return;
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

  /** The underflow that lasts, if one does. */
  #present(): Underflow[] {
    if (this.#frozenNs === undefined) return [];
    const durationMs = (this.#simulation.nowNs - this.#frozenNs) / 1e6;
    return [{ atMs: this.#frozenNs / 1e6, durationMs }];
  }

  /** Of a frame past the last one: the film's. */
  #endOf(frame: number): number {
    return this.#film.endBytes[frame] ?? this.#film.endBytes.at(-1) ?? 0;
  }

  #dueNs(frame: number): number {
    return (this.#clockNs ?? 0) + frame * this.#film.frameNs;
  }

  #turn(): void {
    const { nowNs } = this.#simulation;
    const startBytes = this.#frame === 0 ? 0 : this.#endOf(this.#frame - 1);
    if (this.#heldBytes <= startBytes) {
      this.#state = 'filling';
      this.#frozenNs = nowNs;
      return;
    }
    if (this.#heldBytes >= this.#endOf(this.#frame)) this.#shown += 1;
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
