import type { PathId, SampleBatch } from '../../core';
import { limits } from '../../ipc';
import { PathControlError, type Clock, type EndpointInfo, type PathRequest } from '../../ports';
import type { ControlledPath, PathControlReport } from '../../qoe';
import type { SharedPathControl } from '../path-control';

export interface PagePathsOptions {
  shared: SharedPathControl;
  clock: Pick<Clock, 'nowMs'>;
  /** Gets every report: the first, after every change, as every answer. */
  tell: (report: PathControlReport) => void;
}

/** What one page may do with the paths. The page is not trusted: it is bound to the paths of its own stream. */
export interface PagePaths {
  /** The paths of the stream, as the kernel shows them. */
  observe(batch: SampleBatch): void;
  /** What the page asks; answered in `tell`, except where a newer request overtook it. Never throws. */
  request(request: PathRequest): void;
  /** Puts back what the page changed. Never rejects. */
  close(): Promise<void>;
}

/** Requests a page may make at once, and how many a second after that. A decision comes ten times a second at most. */
const burst = 20;
const perSecond = 10;

const interfaceOf = (pathId: PathId): PathId => pathId.split('>')[0] ?? pathId;
const clip = (text: string): string => text.slice(0, limits.textChars);

function toControlled(endpoints: readonly EndpointInfo[]): ControlledPath[] {
  const paths = new Map<PathId, ControlledPath>();
  for (const { pathId, interfaceName, state, origin, changed } of endpoints) {
    const known = paths.get(pathId);
    // Two addresses of one interface are one path: it carries data while one of them does.
    const better = known && (known.state === 'active' || state === 'closed') ? known.state : state;
    paths.set(pathId, {
      pathId,
      ...(interfaceName === undefined ? {} : { interfaceName }),
      state: better,
      origin,
      changed: changed || known?.changed === true,
    });
  }
  return [...paths.values()].slice(0, limits.paths);
}

export function createPagePaths({ shared, clock, tell }: PagePathsOptions): PagePaths {
  const { control } = shared;
  const owner = {};
  const seen = new Set<PathId>();
  let tokens = burst;
  let refilledMs = clock.nowMs();
  let working = false;
  let waiting: PathRequest | undefined;
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
        // The helper may be gone: then nothing is known of the paths.
      }
    }
    if (over) return;
    tell({ capability: capability(), paths: toControlled(all ?? []), refusals: [], ...more });
  };

  const mayAsk = (): boolean => {
    const now = clock.nowMs();
    tokens = Math.min(burst, tokens + ((now - refilledMs) * perSecond) / 1000);
    refilledMs = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
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
      if (!known.has(interfaceOf(pathId))) {
        const reason = `${pathId} is no path of this stream`;
        refusals.push({ pathId, state, code: 'NO_SUCH_PATH', reason: clip(reason) });
        continue;
      }
      try {
        await control.setState(pathId, state);
      } catch (error) {
        const code = error instanceof PathControlError ? error.code : 'FAILED';
        const reason = error instanceof Error ? error.message : String(error);
        refusals.push({ pathId, state, code, reason: clip(reason) });
      }
    }
    await report({ sequence: request.sequence, refusals });
  };

  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    for (let next = waiting; next && !over; next = waiting) {
      waiting = undefined;
      const request = next;
      await apply(request).catch((error: unknown) =>
        refuseAll(request, 'FAILED', clip(error instanceof Error ? error.message : String(error))),
      );
    }
    working = false;
  };

  const stopListening = control.onChange(({ detail, endpoints }) => {
    void report({ detail: clip(detail) }, endpoints);
  });
  void report();

  return {
    observe(batch) {
      shared.observe(owner, batch);
      for (const { subflows } of batch.connections) {
        for (const { pathId } of subflows) {
          if (seen.size < limits.paths) seen.add(interfaceOf(pathId));
        }
      }
    },
    request(request) {
      if (over) return;
      if (!mayAsk()) {
        void refuseAll(request, 'TOO_MANY', `more than ${perSecond} requests a second`);
        return;
      }
      // States, not steps: the newest says all there is to say.
      waiting = request;
      void work();
    },
    async close() {
      over = true;
      stopListening();
      await shared.release(owner);
    },
  };
}
