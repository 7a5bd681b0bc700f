import {
  findHelper,
  makeOwnEndpoints,
  openSharedPathControl,
  type SharedPathControl,
} from '../../transport';
import type { DecisionArgs } from './args';

export interface AppPathsOptions {
  decision: Pick<DecisionArgs, 'pathControl' | 'foreignEndpoints'>;
  /** For the terminal. */
  onProblem: (text: string) => void;
}

/** The control of this computer's paths, one for the whole app. */
export interface AppPaths {
  /** What a stream that is about to begin gets: with endpoints of ours where the system has none. */
  forStream(): Promise<SharedPathControl | undefined>;
  /** Puts back everything as found. Never rejects. */
  close(): Promise<void>;
}

/** Opens it in the background; the window need not wait. */
export function openAppPaths({ decision, onProblem }: AppPathsOptions): AppPaths {
  if (!decision.pathControl) {
    return { forStream: () => Promise.resolve(undefined), close: () => Promise.resolve() };
  }
  const told = new Set<string>();
  const tellOnce = (text: string): void => {
    if (told.has(text)) return;
    told.add(text);
    onProblem(text);
  };
  const opening = openSharedPathControl({
    helper: findHelper(),
    foreignEndpoints: decision.foreignEndpoints,
    onError: (error) =>
      tellOnce(`path control: ${error instanceof Error ? error.message : String(error)}`),
  });
  return {
    async forStream() {
      const shared = await opening;
      // The end of the stream before took them away.
      const { made, failures } = await makeOwnEndpoints(shared.control);
      if (failures.length > 0 && made.length === 0) {
        tellOnce(
          `one path only: the system has no MPTCP endpoint and none could be made (${failures[0] ?? ''}); ` +
            'make one a network: sudo ip mptcp endpoint add ADDRESS dev NETWORK subflow',
        );
      }
      return shared;
    },
    async close() {
      await (await opening).close();
    },
  };
}
