import { errorText } from '../../core';
import {
  findHelper,
  makeOwnEndpoints,
  openSharedPathControl,
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
  /** The path control for a new stream; it adds endpoints if the system has none. */
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
  const opening = openSharedPathControl({
    helper: findHelper(),
    foreignEndpoints: decision.foreignEndpoints,
    onError: (error) => reportOnce(`path control: ${errorText(error)}`),
  });
  return {
    async forStream() {
      const shared = await opening;
      // The end of the previous stream removed them.
      const { made, failures } = await makeOwnEndpoints(shared.control);
      if (failures.length > 0 && made.length === 0) {
        reportOnce(
          `one path only: the system has no MPTCP endpoint and none could be created (${failures[0] ?? ''}); ` +
            'create one for each network: sudo ip mptcp endpoint add ADDRESS dev NETWORK subflow',
        );
      }
      return shared;
    },
    async close() {
      await (await opening).close();
    },
  };
}
