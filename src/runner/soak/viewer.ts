import { setTimeout as sleep } from 'node:timers/promises';
import type { SoakAction, TimedAction } from './actions';
import type { SoakNetwork } from './network';
import type { PageState, PlayerPage } from './player-page';

/** The viewer's troubles in a run. */
export interface ViewerRecord {
  actions: Record<SoakAction['kind'], number>;
  /** Longest time without a new position, pauses excluded. Longer than a blackout: playback did not resume. */
  longestStandstillMs: number;
  lastReloadMs: number;
}

/** Longer than the longest blackout, the buffering after it, and a retry of a segment. */
export const MAX_STANDSTILL_MS = 90_000;
/** The film's last part is never played: its end would end the session. */
const END_MARGIN_MS = 60_000;
const BEGIN_MS = 2_000;
const LOOK_MS = 1_000;

export const noViewerRecord = (): ViewerRecord => ({
  actions: { flap: 0, blackhole: 0, fade: 0, blackout: 0, pause: 0, seek: 0, reload: 0 },
  longestStandstillMs: 0,
  lastReloadMs: 0,
});

/** Acts as a viewer with a flapping network, and notices when nothing plays any more. */
export class Viewer {
  readonly record = noViewerRecord();
  readonly #page: PlayerPage;
  readonly #network: SoakNetwork;
  readonly #now: () => number;
  #position: PageState | undefined;
  #movedMs = 0;

  /** @param now milliseconds since the page opened */
  constructor(page: PlayerPage, network: SoakNetwork, now: () => number) {
    this.#page = page;
    this.#network = network;
    this.#now = now;
  }

  /** Performs one action to its end. @throws Error when playback stands still for too long */
  async perform({ afterMs, action }: TimedAction, signal: AbortSignal): Promise<void> {
    await this.#watchFor(afterMs, signal);
    this.record.actions[action.kind] += 1;
    const restore = await this.#network.begin(action);
    try {
      if (action.kind === 'reload') {
        this.record.lastReloadMs = this.#now();
        await this.#page.reload();
      } else if (action.kind === 'seek') {
        await this.#page.seek(action.to * (this.#position?.durationMs ?? 0));
      } else {
        if (action.kind === 'pause') await this.#page.setPaused(true);
        await this.#watchFor(action.forMs, signal);
      }
    } finally {
      await restore();
    }
    if (action.kind === 'pause') await this.#page.setPaused(false);
  }

  async #watchFor(forMs: number, signal: AbortSignal): Promise<void> {
    for (const endMs = this.#now() + forMs; this.#now() < endMs;) {
      await sleep(Math.max(1, Math.min(LOOK_MS, endMs - this.#now())), undefined, { signal });
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const state = await this.#page.state();
    const hasMoved = state === undefined ? false : state.positionMs !== this.#position?.positionMs;
    if (hasMoved || state?.paused === true) this.#movedMs = this.#now();
    const standstillMs = this.#now() - this.#movedMs;
    const { record } = this;
    record.longestStandstillMs = Math.max(record.longestStandstillMs, standstillMs);
    if (standstillMs > MAX_STANDSTILL_MS) {
      throw new Error(`nothing has played for ${Math.round(standstillMs / 1000)} s`);
    }
    if (state === undefined) return;
    this.#position = state;
    if (state.durationMs - state.positionMs < END_MARGIN_MS) await this.#page.seek(BEGIN_MS);
  }
}
