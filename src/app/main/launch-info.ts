import { errorText, type NetworkWish } from '../../core';
import type { LaunchInfo, MptcpLaunch } from '../../ipc';
import type { AppArgs } from './args';
import type { MediaFolders } from './media-folders';

declare const __VERSION__: string;

/** The window's facts about this start of the app. Those about networks change meanwhile. */
export type StartInfo = Omit<LaunchInfo, 'networks' | 'decision'> & {
  decision: Omit<LaunchInfo['decision'], 'networks'>;
};

/** The facts with the present networks and the choices for them. */
export const withNetworks = (
  info: StartInfo,
  networks: LaunchInfo['networks'],
  wishes: readonly NetworkWish[],
): LaunchInfo => ({ ...info, networks, decision: { ...info.decision, networks: [...wishes] } });

/** Reads the facts of this start, and opens the folder of a file that is to be played. */
export async function launchInfo(
  args: AppArgs,
  mptcp: MptcpLaunch,
  folders: MediaFolders,
): Promise<StartInfo> {
  const { correction, policy, policyConfig, bufferTargetMs } = args.decision;
  const info: StartInfo = {
    versions: {
      app: __VERSION__,
      electron: process.versions.electron,
      chrome: process.versions.chrome,
      node: process.versions.node,
    },
    mptcp,
    ...(args.abr !== undefined && { abr: args.abr }),
    media: args.media,
    decision: {
      correction,
      ...(policy !== undefined && { policy }),
      ...(policyConfig !== undefined && { policyConfig }),
      ...(bufferTargetMs !== undefined && { bufferTargetMs }),
    },
  };
  const { source } = args;
  if (source === undefined) return info;
  if (source.kind === 'url')
    return { ...info, initialSource: { url: source.url, label: source.url } };
  try {
    return { ...info, initialSource: await folders.open(source.path) };
  } catch (error) {
    return { ...info, initialError: errorText(error) };
  }
}
