import { emptyIsoBox, type MediaType } from '../../core';
import { describeTruncation } from './segment-check';

/** One answer to a request for a media segment. */
export interface SegmentAnswer {
  mediaType: MediaType;
  /** Start of the segment in media time. */
  startMs: number;
  representationId: string;
  status: number;
  data: unknown;
  /** Appended in chunks on arrival; `data` is the remainder. */
  streamed?: { bytes: number };
  /** dash.js has another BaseURL left. */
  otherBaseUrl?: boolean;
  /** The stream is live: a missing segment may still be written. */
  live?: boolean;
}

/** One answer to a request for an initialization segment. */
export interface InitAnswer {
  mediaType: MediaType;
  /** dash.js's id of the period. */
  periodId: string;
  representationId: string;
  status: number;
  otherBaseUrl?: boolean;
}

/**
 * `keep`: leave the answer unchanged (good, or dash.js retries it). `retry`: the body is broken, make dash.js
 * fetch it again. `escape`: this rung lacks the segment, fetch it from another. `skip`: no rung has it, skip
 * it. `give-up`: too many were skipped in a row; report a fatal error, once, and make dash.js fetch it again.
 */
export interface RescueVerdict {
  action: 'keep' | 'retry' | 'escape' | 'skip' | 'give-up';
  /** The defect of the answer; absent without one. */
  defect?: string;
}

interface Trouble {
  attempts: Map<string, number>;
  failed: Set<string>;
}

/** Tries at one rung before it counts as lacking the segment, if the answer may be a passing fault. */
const PASSING_FAULT_TRIES = 3;
/** Consecutive skipped segments after which the stream counts as broken. */
const MAX_SKIPS_IN_A_ROW = 5;
/** The same for a live stream, whose encoder may stall for a while. Example: 30 segments of 2 s, a minute. */
const MAX_LIVE_SKIPS_IN_A_ROW = 30;
/** Answers that mean "not now" rather than "not here". */
const PASSING_STATUSES = [408, 425, 429];

/**
 * Recovery from a segment that cannot be fetched. dash.js by itself repeats the request and then abandons its
 * whole BaseURL; with a single BaseURL one missing file ends playback. This class fetches the same segment
 * from another rung. If no rung has it, it is skipped and the gap controller jumps the hole. Without any
 * answer (status 0) the network is at fault, not the segment, and dash.js continues to retry. While another
 * BaseURL is left, all of that is left to dash.js.
 */
export class SegmentRescue {
  readonly #troubles = new Map<string, Trouble>();
  #givenUp = 0;
  /** Rungs without initialization segment, by period: ids are unique only within one. */
  readonly #withoutInit = new Map<MediaType, Set<string>>();
  /** Consecutive skipped segments of each medium: audio may be whole where video is not. */
  readonly #skipsInARow = new Map<MediaType, number>();

  /** @param count BaseURLs that were given up: the next one may have segments that the previous one lacked */
  givenUp(count: number): void {
    if (count === this.#givenUp) return;
    this.#givenUp = count;
    this.#withoutInit.clear();
    this.#troubles.clear();
  }

  /** Judges an answer. `rungs` are the representation ids that may also have the segment. */
  judge(answer: SegmentAnswer, rungs: readonly string[]): RescueVerdict {
    const defect = defectOf(answer);
    const key = `${answer.mediaType}:${answer.startMs}`;
    if (defect === undefined) {
      if (answer.status !== 0) {
        this.#troubles.delete(key);
        this.#skipsInARow.delete(answer.mediaType);
      }
      return { action: 'keep' };
    }
    if (answer.otherBaseUrl === true) return { action: 'retry', defect };
    const trouble: Trouble = this.#troubles.get(key) ?? { attempts: new Map(), failed: new Set() };
    this.#troubles.set(key, trouble);
    const tries = (trouble.attempts.get(answer.representationId) ?? 0) + 1;
    trouble.attempts.set(answer.representationId, tries);
    if (this.#mayPass(answer) && tries < PASSING_FAULT_TRIES) return { action: 'retry', defect };
    trouble.failed.add(answer.representationId);
    if (rungs.some((id) => !trouble.failed.has(id))) return { action: 'escape', defect };
    const skips = this.#skipsOf(answer) + 1;
    this.#skipsInARow.set(answer.mediaType, skips);
    const maxSkips = answer.live === true ? MAX_LIVE_SKIPS_IN_A_ROW : MAX_SKIPS_IN_A_ROW;
    if (skips > maxSkips) {
      // Reported once; dash.js continues to retry in case the server recovers.
      return { action: skips === maxSkips + 1 ? 'give-up' : 'retry', defect };
    }
    this.#troubles.delete(key);
    return { action: 'skip', defect };
  }

  /** Judges an answer to a request for an initialization segment; a rung without it is unusable. */
  judgeInit(answer: InitAnswer, rungs: readonly string[]): RescueVerdict {
    const { status, mediaType, periodId, representationId } = answer;
    if (status < 400 || isPassing(status) || answer.otherBaseUrl === true) {
      return { action: 'keep' };
    }
    const unusable = this.#withoutInit.get(mediaType) ?? new Set();
    this.#withoutInit.set(mediaType, unusable.add(`${periodId} ${representationId}`));
    const left = rungs.some((id) => !this.isUnusable(mediaType, periodId, id));
    return { action: left ? 'escape' : 'keep', defect: `HTTP ${status}` };
  }

  /** True if the rung's initialization segment is missing. */
  isUnusable(mediaType: MediaType, periodId: string, representationId: string): boolean {
    return this.#withoutInit.get(mediaType)?.has(`${periodId} ${representationId}`) ?? false;
  }

  /** Rungs known to lack this segment. */
  failedRungs(mediaType: MediaType, startMs: number): ReadonlySet<string> {
    return this.#troubles.get(`${mediaType}:${startMs}`)?.failed ?? new Set();
  }

  /** The bytes that dash.js appends in place of a skipped segment. */
  standIn(): ArrayBuffer {
    return emptyIsoBox();
  }

  /** Waits for a live segment. After one that never came, the next ones share one wait. */
  #mayPass(answer: SegmentAnswer): boolean {
    return isPassing(answer.status) || (answer.live === true && this.#skipsOf(answer) === 0);
  }

  #skipsOf({ mediaType }: SegmentAnswer): number {
    return this.#skipsInARow.get(mediaType) ?? 0;
  }
}

function defectOf(answer: SegmentAnswer): string | undefined {
  if (answer.status >= 400) return `HTTP ${answer.status}`;
  if (answer.status < 200 || answer.status >= 300) return undefined;
  const { data, streamed } = answer;
  if (!(data instanceof ArrayBuffer)) {
    return streamed ? 'the connection ended inside the segment' : undefined;
  }
  if (streamed && data.byteLength === 0 && streamed.bytes > 0) return undefined;
  return describeTruncation(data);
}

function isPassing(status: number): boolean {
  return status < 400 || status >= 500 || PASSING_STATUSES.includes(status);
}
