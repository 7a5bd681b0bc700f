import type { MediaType } from '../core';
import { describeTruncation, emptySegment } from './segment-check';

/** One answer to a request for a media segment. */
export interface SegmentAnswer {
  mediaType: MediaType;
  /** Where the segment starts, in media time. */
  startMs: number;
  representationId: string;
  status: number;
  data: unknown;
}

/**
 * `keep`: leave the answer as it is (good, or dash.js retries it). `retry`: the body is no good, have
 * dash.js fetch it again. `escape`: this rung does not have the segment, fetch it from another.
 * `skip`: no rung has it, pass over it.
 */
export interface Verdict {
  action: 'keep' | 'retry' | 'escape' | 'skip' | 'give-up';
  /** What is wrong with the answer; absent where nothing is. */
  defect?: string;
}

interface Trouble {
  attempts: Map<string, number>;
  failed: Set<string>;
}

/** Tries at one rung before it counts as not having the segment, where the answer may be a passing fault. */
const PASSING_FAULT_TRIES = 3;
/** Segments in a row that may be passed over before the stream counts as broken. */
const MAX_SKIPS_IN_A_ROW = 5;
/** Answers that say "not now" rather than "not here". */
const PASSING_STATUSES = [408, 425, 429];

/**
 * What to do about a segment that cannot be had. dash.js by itself repeats the request and then gives
 * its whole BaseURL up; with a single BaseURL that is the end of playback for one missing file. Here the
 * same segment is taken from another rung, and where no rung has it, it is passed over and the gap
 * controller jumps the hole. Without any answer (status 0) the network is the trouble, not the segment:
 * dash.js goes on asking.
 */
export class SegmentRescue {
  readonly #troubles = new Map<string, Trouble>();
  readonly #withoutInit = new Set<string>();
  #skipsInARow = 0;

  /** Judges an answer. `rungs` are the representation ids the segment could also be taken from. */
  judge(answer: SegmentAnswer, rungs: readonly string[]): Verdict {
    const defect = defectOf(answer);
    const key = `${answer.mediaType}:${answer.startMs}`;
    if (defect === undefined) {
      if (answer.status !== 0) {
        this.#troubles.delete(key);
        this.#skipsInARow = 0;
      }
      return { action: 'keep' };
    }
    const trouble: Trouble = this.#troubles.get(key) ?? { attempts: new Map(), failed: new Set() };
    this.#troubles.set(key, trouble);
    const tries = (trouble.attempts.get(answer.representationId) ?? 0) + 1;
    trouble.attempts.set(answer.representationId, tries);
    if (isPassing(answer.status) && tries < PASSING_FAULT_TRIES) return { action: 'retry', defect };
    trouble.failed.add(answer.representationId);
    if (rungs.some((id) => !trouble.failed.has(id))) return { action: 'escape', defect };
    this.#skipsInARow += 1;
    if (this.#skipsInARow > MAX_SKIPS_IN_A_ROW) {
      // Told once; dash.js goes on asking in case the server mends.
      return { action: this.#skipsInARow === MAX_SKIPS_IN_A_ROW + 1 ? 'give-up' : 'retry', defect };
    }
    this.#troubles.delete(key);
    return { action: 'skip', defect };
  }

  /**
   * Judges an answer to a request for an initialization segment. Without it a rung is of no use at all,
   * so the rung is left for good.
   */
  judgeInit(status: number, representationId: string, rungs: readonly string[]): Verdict {
    if (status < 400 || isPassing(status)) return { action: 'keep' };
    this.#withoutInit.add(representationId);
    const left = rungs.some((id) => !this.#withoutInit.has(id));
    return { action: left ? 'escape' : 'keep', defect: `HTTP ${status}` };
  }

  /** Rungs whose initialization segment is missing. */
  get unusableRungs(): ReadonlySet<string> {
    return this.#withoutInit;
  }

  /** Rungs known not to have this segment. */
  failedRungs(mediaType: MediaType, startMs: number): ReadonlySet<string> {
    return this.#troubles.get(`${mediaType}:${startMs}`)?.failed ?? new Set();
  }

  /** What dash.js appends in place of a segment that is passed over. */
  standIn(): ArrayBuffer {
    return emptySegment();
  }
}

function defectOf(answer: SegmentAnswer): string | undefined {
  if (answer.status >= 400) return `HTTP ${answer.status}`;
  const good = answer.status >= 200 && answer.status < 300;
  if (good && answer.data instanceof ArrayBuffer) return describeTruncation(answer.data);
  return undefined;
}

function isPassing(status: number): boolean {
  return status < 400 || status >= 500 || PASSING_STATUSES.includes(status);
}
