import { errorText } from '../../core';
import type { LaunchInfo, MptcpLaunch } from '../../ipc';
import type { AppArgs } from './args';
import type { MediaFolders } from './media-folders';

declare const __VERSION__: string;

/** The window's facts about this start of the app; those about networks change meanwhile. */
export async function launchInfo(
  args: AppArgs,
  mptcp: MptcpLaunch,
  folders: MediaFolders,
): Promise<LaunchInfo> {
  const { correction, policy, policyConfig, bufferTargetMs } = args.decision;
  const info: LaunchInfo = {
    versions: {
      app: __VERSION__,
      electron: process.versions.electron,
      chrome: process.versions.chrome,
      node: process.versions.node,
    },
    mptcp,
    networks: [],
    ...(args.abr !== undefined && { abr: args.abr }),
    media: args.media,
    decision: {
      correction,
      ...(policy !== undefined && { policy }),
      ...(policyConfig !== undefined && { policyConfig }),
      ...(bufferTargetMs !== undefined && { bufferTargetMs }),
      networks: [],
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
