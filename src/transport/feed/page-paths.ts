import { networkOf, errorText, TokenBucket, type PathId, type SampleBatch } from '../../core';
import { limits } from '../../ipc';
import { PathControlError, type Clock, type EndpointInfo, type PathRequest } from '../../ports';
import type { PathControlReport } from '../../session-log';
import type { SharedPathControl } from '../../path-control';
import { toControlled } from './controlled-paths';
import { LatestOnly } from './latest-only';

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
   * Applies a request of the page. The answer is a report, unless a newer request replaced this one. Never
   * throws.
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

export function createPagePaths({ shared, clock, onReport }: PagePathsOptions): PagePaths {
  const { control } = shared;
  const owner = {};
  const seen = new Set<PathId>();
  const rate = new TokenBucket({ burst: BURST, perSecond: PER_SECOND, nowMs: clock.nowMs() });
  let over = false;

  const capability = (): PathControlReport['capability'] => {
    const now = control.capability();
    return now.available ? now : { available: false, reason: clip(now.reason) };
  };
  const report = async (
    more: Partial<Pick<PathControlReport, 'sequence' | 'detail' | 'refusals'>> = {},
    endpoints?: readonly EndpointInfo[],
  ): Promise<void> => {
    let all = endpoints;
    if (!all && control.capability().available) {
      try {
        all = await control.list();
      } catch {
        // The helper may have ended: then the state of the paths is unknown.
      }
    }
    if (over) return;
    onReport({ capability: capability(), paths: toControlled(all ?? []), refusals: [], ...more });
  };

  const refuseAll = (request: PathRequest, code: string, reason: string): Promise<void> =>
    report({
      sequence: request.sequence,
      refusals: request.paths.map((path) => ({ ...path, code, reason })),
    });

  const knownPaths = async (): Promise<ReadonlySet<PathId>> => {
    const endpoints = await control.list();
    return new Set([...seen, ...endpoints.map(({ pathId }) => pathId)]);
  };

  const apply = async (request: PathRequest): Promise<void> => {
    if (!control.capability().available) {
      await refuseAll(request, 'DENIED', 'paths cannot be controlled here');
      return;
    }
    if (!shared.claim(owner)) {
      await refuseAll(request, 'BUSY', 'another page controls the paths');
      return;
    }
    const refusals: PathControlReport['refusals'] = [];
    const known = await knownPaths();
    for (const { pathId, state } of request.paths) {
      if (over) return;
      if (!known.has(networkOf(pathId))) {
        const reason = `${pathId} is no path of this stream`;
        refusals.push({ pathId, state, code: 'NO_SUCH_PATH', reason: clip(reason) });
        continue;
      }
      try {
        await control.setState(pathId, state);
      } catch (error) {
        const code = error instanceof PathControlError ? error.code : 'FAILED';
        const reason = errorText(error);
        refusals.push({ pathId, state, code, reason: clip(reason) });
      }
    }
    await report({ sequence: request.sequence, refusals });
  };

  // The states of a request are complete: a newer request replaces one that waits.
  const requests = new LatestOnly<PathRequest>(async (request) => {
    if (over) return;
    await apply(request).catch((error: unknown) =>
      refuseAll(request, 'FAILED', clip(errorText(error))),
    );
  });
  // Excess requests are answered at the permitted rate, because answers cost more than requests.
  const excess = new LatestOnly<PathRequest>(async (request) => {
    if (over) return;
    await refuseAll(request, 'TOO_MANY', `more than ${PER_SECOND} requests a second`);
    await new Promise<void>((resolve) => void clock.after(1000 / PER_SECOND, resolve));
  });

  const stopListening = control.onChange(({ detail, endpoints }) => {
    void report({ detail: clip(detail) }, endpoints);
  });
  void report();

  return {
    observe(batch) {
      shared.observe(owner, batch);
      for (const { subflows } of batch.connections) {
        for (const { pathId } of subflows) {
          if (seen.size < limits.paths) seen.add(networkOf(pathId));
        }
      }
    },
    request(request) {
      if (over) return;
      (rate.take(1, clock.nowMs()) ? requests : excess).push(request);
    },
    async close() {
      over = true;
      stopListening();
      await shared.release(owner);
    },
  };
}
