import { networkOf, errorText, TokenBucket, type PathId, type SampleBatch } from '../../core';
import { limits } from '../../ipc';
import { PathControlError, type Clock, type EndpointInfo, type PathRequest } from '../../ports';
import type { PathControlReport } from '../../session-log';
import type { SharedPathControl } from '../../path-control';
import { toControlled } from './controlled-paths';
import { MergingQueue } from './merging-queue';

export interface PagePathsOptions {
  shared: SharedPathControl;
  clock: Clock;
  /** Called with every report: the first, one after every change, and every answer. */
  onReport: (report: PathControlReport) => void;
}

/**
 * The path control of one page. The page is not trusted: it can change only the paths of its own stream and those that
 * the path control lists.
 */
export interface PagePaths {
  /** Takes the paths of the stream, as the kernel shows them. */
  observe(batch: SampleBatch): void;
  /**
   * Applies a request of the page. The answer is a report. A request that waits is answered together with the newer one
   * that it is merged into. Never throws.
   */
  request(request: PathRequest): void;
  /** Restores the paths that the page changed. Never rejects. */
  close(): Promise<void>;
}

/**
 * Requests that a page may make at once, and a second after that. A policy decides ten times a second at
 * most. The burst is chosen; no measurement.
 */
const BURST = 20;
const PER_SECOND = 10;

const clip = (text: string): string => text.slice(0, limits.textChars);

/** A request names only some paths. The states of the others remain, the newest of them as far as an answer holds. */
function mergeRequests(waiting: PathRequest, newer: PathRequest): PathRequest {
  const named = new Set(newer.paths.map(({ pathId }) => pathId));
  const others = waiting.paths.filter(({ pathId }) => !named.has(pathId));
  return { ...newer, paths: [...others, ...newer.paths].slice(-limits.paths) };
}

export function createPagePaths(options: PagePathsOptions): PagePaths {
  return new PagePathControl(options);
}

class PagePathControl implements PagePaths {
  readonly #shared: SharedPathControl;
  readonly #clock: Clock;
  readonly #onReport: (report: PathControlReport) => void;
  /** The page's name to the path control. */
  readonly #owner = {};
  /** Networks of the stream. */
  readonly #seen = new Set<PathId>();
  readonly #rate: TokenBucket;
  readonly #requests: MergingQueue<PathRequest>;
  /** Excess requests are answered at the permitted rate, because answers cost more than requests. */
  readonly #excess: MergingQueue<PathRequest>;
  readonly #stopListening: () => void;
  #closed = false;

  constructor({ shared, clock, onReport }: PagePathsOptions) {
    this.#shared = shared;
    this.#clock = clock;
    this.#onReport = onReport;
    this.#rate = new TokenBucket({ burst: BURST, perSecond: PER_SECOND, nowMs: clock.nowMs() });
    this.#requests = new MergingQueue((request) => this.#process(request), mergeRequests);
    this.#excess = new MergingQueue((request) => this.#refuseExcess(request), mergeRequests);
    this.#stopListening = shared.control.onChange(({ detail, endpoints }) => {
      void this.#report({ detail: clip(detail) }, endpoints);
    });
    void this.#report();
  }

  observe(batch: SampleBatch): void {
    this.#shared.observe(this.#owner, batch);
    for (const { subflows } of batch.connections) {
      for (const { pathId } of subflows) {
        if (this.#seen.size < limits.paths) this.#seen.add(networkOf(pathId));
      }
    }
  }

  request(request: PathRequest): void {
    if (this.#closed) return;
    const isInTime = this.#rate.take(1, this.#clock.nowMs());
    (isInTime ? this.#requests : this.#excess).push(request);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    await this.#shared.release(this.#owner);
  }

  get #capability(): PathControlReport['capability'] {
    const now = this.#shared.control.capability();
    return now.available ? now : { available: false, reason: clip(now.reason) };
  }

  async #report(
    more: Partial<Pick<PathControlReport, 'sequence' | 'detail' | 'refusals'>> = {},
    endpoints?: readonly EndpointInfo[],
  ): Promise<void> {
    const { control } = this.#shared;
    let all = endpoints;
    if (!all && control.capability().available) {
      try {
        all = await control.list();
      } catch {
        // The helper may have ended: then the state of the paths is unknown.
      }
    }
    if (this.#closed) return;
    const paths = toControlled(all ?? []);
    this.#onReport({ capability: this.#capability, paths, refusals: [], ...more });
  }

  #refuseAll({ sequence, paths }: PathRequest, code: string, reason: string): Promise<void> {
    return this.#report({ sequence, refusals: paths.map((path) => ({ ...path, code, reason })) });
  }

  async #process(request: PathRequest): Promise<void> {
    if (this.#closed) return;
    await this.#apply(request).catch((error: unknown) =>
      this.#refuseAll(request, 'FAILED', clip(errorText(error))),
    );
  }

  async #refuseExcess(request: PathRequest): Promise<void> {
    if (this.#closed) return;
    await this.#refuseAll(request, 'TOO_MANY', `more than ${PER_SECOND} requests a second`);
    await new Promise<void>((resolve) => void this.#clock.after(1000 / PER_SECOND, resolve));
  }

  async #apply(request: PathRequest): Promise<void> {
    const { control } = this.#shared;
    if (!control.capability().available) {
      await this.#refuseAll(request, 'DENIED', 'paths cannot be controlled here');
      return;
    }
    if (!this.#shared.claim(this.#owner)) {
      await this.#refuseAll(request, 'BUSY', 'another page controls the paths');
      return;
    }
    const endpoints = await control.list();
    const known = new Set([...this.#seen, ...endpoints.map(({ pathId }) => pathId)]);
    const refusals: PathControlReport['refusals'] = [];
    for (const { pathId, state } of request.paths) {
      if (this.#closed) return;
      if (!known.has(networkOf(pathId))) {
        const reason = `${pathId} is no path of this stream`;
        refusals.push({ pathId, state, code: 'NO_SUCH_PATH', reason: clip(reason) });
        continue;
      }
      try {
        await control.setState(pathId, state);
      } catch (error) {
        const code = error instanceof PathControlError ? error.code : 'FAILED';
        refusals.push({ pathId, state, code, reason: clip(errorText(error)) });
      }
    }
    await this.#report({ sequence: request.sequence, refusals });
  }
}
