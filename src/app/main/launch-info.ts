import { errorText } from '../../core';
import { mergeNetworks, type LaunchInfo, type MptcpLaunch } from '../../ipc';
import type { AppArgs } from './args';
import { foundNetworks } from './found-networks';
import type { MediaFolders } from './media-folders';
import type { NetworkWishes } from './network-wishes';

declare const __VERSION__: string;

/** The window's facts about this start of the app. */
export async function launchInfo(
  args: AppArgs,
  mptcp: MptcpLaunch,
  folders: MediaFolders,
  wishes: NetworkWishes,
): Promise<LaunchInfo> {
  const { correction, policy, policyConfig, bufferTargetMs, networks } = args.decision;
  const info: LaunchInfo = {
    versions: {
      app: __VERSION__,
      electron: process.versions.electron,
      chrome: process.versions.chrome,
      node: process.versions.node,
    },
    mptcp,
    networks: foundNetworks(),
    ...(args.abr !== undefined && { abr: args.abr }),
    media: args.media,
    decision: {
      correction,
      ...(policy !== undefined && { policy }),
      ...(policyConfig !== undefined && { policyConfig }),
      ...(bufferTargetMs !== undefined && { bufferTargetMs }),
      // The command line applies to this run.
      networks: mergeNetworks(wishes.networks, networks),
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
