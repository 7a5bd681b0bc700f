import { TokenBucket } from '../../core';
import type { LogEvent } from '../../session-log';

/**
 * Characters of log that a page may write at once, and a second after that. Measured: 2.5 kB a second during
 * playback. The burst holds the largest manifest's ladders.
 */
const LOG_BURST = 4 * 1024 * 1024;
const LOG_PER_SECOND = 64 * 1024;
/** Logs that may begin at once, and a second after that. Chosen; no measurement. */
const NEW_BURST = 30;
const NEW_PER_SECOND = 0.2;

/** Limits the growth of pages' logs, so that a page cannot fill the disk. All pages share one, so that a reconnection gains nothing. */
export class PageLogLimit {
  readonly #rate: TokenBucket;
  readonly #newRate: TokenBucket;
  #droppedChars = 0;

  constructor(nowMs: number, newBurst = NEW_BURST) {
    this.#rate = new TokenBucket({ burst: LOG_BURST, perSecond: LOG_PER_SECOND, nowMs });
    this.#newRate = new TokenBucket({ burst: newBurst, perSecond: NEW_PER_SECOND, nowMs });
  }

  /** Counts a log that is about to begin. False if it may not. */
  mayBegin(nowMs: number): boolean {
    return this.#newRate.take(1, nowMs);
  }

  /**
   * The end of a session is always written. The first lost event and each further burst of them count as an
   * invalid message, with an objection.
   */
  judge(event: LogEvent, nowMs: number): { isWritten: boolean; objection?: string } {
    const chars = JSON.stringify(event).length;
    if (event.type === 'end' || this.#rate.take(chars, nowMs)) return { isWritten: true };
    const objects = this.#droppedChars === 0 || this.#droppedChars + chars > LOG_BURST;
    this.#droppedChars = (objects ? 0 : this.#droppedChars) + chars;
    if (!objects) return { isWritten: false };
    const objection = `its log grows by more than ${LOG_PER_SECOND} characters a second; events are left out`;
    return { isWritten: false, objection };
  }
}
