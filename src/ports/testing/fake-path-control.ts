import { networkOf, type PathControlCapability, type WantedPathState, Listeners } from '../../core';
import {
  PathControlError,
  type EndpointInfo,
  type PathControl,
  type PathControlChange,
} from '../path-control';

export interface FakePathControl extends PathControl {
  /** Every completed change, in order. */
  readonly calls: readonly { pathId: string; state: WantedPathState }[];
  /** Another program sets an endpoint. */
  setForeign(pathId: string, state: 'active' | 'backup'): void;
}

/** The in-memory PathControl for tests: every path has one foreign, active endpoint. */
export function createFakePathControl(
  paths: readonly string[],
  capability: PathControlCapability = { available: true, through: 'fake' },
): FakePathControl {
  const found = new Map<string, WantedPathState>(paths.map((path) => [path, 'active']));
  const now = new Map(found);
  const calls: { pathId: string; state: WantedPathState }[] = [];
  const listeners = new Listeners<PathControlChange>();
  let closed = false;

  const endpoints = (): EndpointInfo[] =>
    [...now].map(([pathId, state], index) => ({
      pathId,
      address: `192.0.2.${index + 1}`,
      endpointId: state === 'closed' ? undefined : index + 1,
      state,
      origin: 'foreign',
      changed: state !== found.get(pathId),
    }));
  const report = (detail: string): void => {
    listeners.call({ detail, endpoints: endpoints() }, () => undefined);
  };
  const check = (): void => {
    if (closed) throw new PathControlError('CLOSED', 'path control was closed');
    if (!capability.available) throw new PathControlError('DENIED', capability.reason);
  };
  const set = (pathId: string, state: WantedPathState): void => {
    if (now.get(pathId) === state) return;
    now.set(pathId, state);
    report(`${pathId} is ${state}`);
  };
  /** A refusal is a rejection, never a throw. */
  const attempt = <T>(work: () => T): Promise<T> => Promise.resolve().then(work);

  return {
    capability: () => capability,
    list: () =>
      attempt(() => {
        check();
        return endpoints();
      }),
    setState: (pathId, state) =>
      attempt(() => {
        check();
        const path = networkOf(pathId);
        if (!now.has(path)) throw new PathControlError('NO_SUCH_PATH', `no path ${path}`);
        calls.push({ pathId: path, state });
        set(path, state);
      }),
    onChange: (listener) => listeners.add(listener),
    restore: () =>
      attempt(() => {
        check();
        for (const [pathId, state] of found) set(pathId, state);
      }),
    close() {
      if (!closed) for (const [pathId, state] of found) set(pathId, state);
      closed = true;
      listeners.clear();
      return Promise.resolve();
    },
    calls,
    setForeign(pathId, state) {
      found.set(pathId, state);
      now.set(pathId, state);
    },
  };
}
