import { errorText } from '../../core';
import { monotonicClock, watchTunnel } from '../../kernel';
import {
  findHelper,
  openSharedPathControl,
  withStreamEndpoints,
  type SharedPathControl,
} from '../../path-control';
import type { DecisionArgs } from './args';

export interface AppPathsOptions {
  decision: Pick<DecisionArgs, 'pathControl' | 'foreignEndpoints'>;
  /** Messages for the terminal. */
  onProblem: (text: string) => void;
}

/** The path control of this computer, one for the whole app. */
export interface AppPaths {
  /** The path control for a new stream. It adds endpoints while the stream uses MPTCP, if the system has none. */
  forStream(): Promise<SharedPathControl | undefined>;
  /** Restores all endpoints. Never rejects. */
  close(): Promise<void>;
}

/** Opens it in the background; the window does not wait. */
export function openAppPaths({ decision, onProblem }: AppPathsOptions): AppPaths {
  if (!decision.pathControl) {
    return { forStream: () => Promise.resolve(undefined), close: () => Promise.resolve() };
  }
  const reported = new Set<string>();
  const reportOnce = (text: string): void => {
    if (reported.has(text)) return;
    reported.add(text);
    onProblem(text);
  };
  const tunnels = watchTunnel({ onChange: () => undefined });
  const open = async (): Promise<SharedPathControl> => {
    const shared = await openSharedPathControl({
      helper: findHelper(),
      foreignEndpoints: decision.foreignEndpoints,
      onError: (error) => reportOnce(`path control: ${errorText(error)}`),
    });
    return withStreamEndpoints(shared, {
      nowMs: () => monotonicClock.nowMs(),
      later: (delayMs, work) => monotonicClock.after(delayMs, work),
      async findTunnel(servers) {
        await tunnels.alsoTo(servers);
        return tunnels.tunnel;
      },
      onResult({ made, failures }) {
        if (failures.length === 0 || made.length > 0) return;
        reportOnce(
          `one path only: the system has no MPTCP endpoint and none could be created (${failures[0] ?? ''}); ` +
            'create one for each network: sudo ip mptcp endpoint add ADDRESS dev NETWORK subflow',
        );
      },
    });
  };
  const opening = open();
  return {
    forStream: () => opening,
    async close() {
      tunnels.close();
      await (await opening).close();
    },
  };
}
