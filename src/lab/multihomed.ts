import type { LinkStats } from './emulator-protocol';
import { LabError } from './errors';
import { LinkEmulator, type LinkEmulatorOptions } from './link-emulator';
import type { LinkChange } from './link-emulator-options';
import {
  clientBatch,
  clientUndoBatch,
  type LabPath,
  MAX_PATHS,
  planLink,
  planPaths,
  SERVER_ADDRESS,
  serverBatch,
} from './multihomed-plan';
import { addNetns, ipBatch, removeNetns, setSysctls, trySysctls, waitForCarrier } from './netns';
import { checkLabRequirements } from './network/requirements';
import { baseSysctls } from './network/settings';
import type { PathSpec } from './path-spec';

const SERVER_NETNS = 'server';
/** What most servers on the Internet run. */
const DEFAULT_CONGESTION_CONTROL = 'cubic';

export interface MultihomedLabOptions extends Pick<LinkEmulatorOptions, 'onFailure'> {
  /** One to eight paths; the first carries new connections. */
  paths: readonly PathSpec[];
  /** Decides which packets are lost. Default 1. */
  seed?: number;
  /** False: the server answers MPTCP with plain TCP. Default true. */
  serverMptcp?: boolean;
  /** False: net.mptcp.enabled=0 at the client. Default true. */
  clientMptcp?: boolean;
  /** Of the server. Default `cubic`. */
  congestionControl?: string;
  /** The `mpd-link` program, where the usual places do not have it. */
  emulatorFile?: string;
}

/** A running lab. The client is the network namespace of this process. */
export interface Lab {
  readonly paths: readonly LabPath[];
  /** Namespace file of the server, for `nsenter --net=` and {@link startMediaServer}. */
  readonly serverNetns: string;
  /** The server's one address, reached over every path. */
  readonly serverAddress: string;
  /** What servers in the lab are to use; {@link startMediaServer} takes it. */
  readonly congestionControl: string;
  /** Changes a path; done once the kernel acts on it. @param pathId `path1`, `path2`, ... */
  setLink(pathId: string, change: LinkChange): Promise<void>;
  linkStats(): Promise<LinkStats[]>;
  /** Removes every link and namespace of the lab. */
  close(): Promise<void>;
}

async function checkOptions(options: MultihomedLabOptions): Promise<void> {
  await checkLabRequirements();
  const count = options.paths.length;
  if (count < 1 || count > MAX_PATHS) {
    throw new LabError('BAD_OPTION', `${String(count)} paths: a lab has 1 to ${String(MAX_PATHS)}`);
  }
}

/**
 * Makes a client with several paths to one server: links through {@link LinkEmulator}, a route and a table per
 * path, MPTCP endpoints at the client. Needs to run inside a sandbox, whose network becomes the client.
 * @throws LabError BAD_OPTION, MPTCP_MISSING, EMULATOR_MISSING, TUN_UNAVAILABLE, COMMAND_FAILED
 */
export async function createMultihomedLab(options: MultihomedLabOptions): Promise<Lab> {
  await checkOptions(options);
  const { clientMptcp = true, serverMptcp = true, seed = 1 } = options;
  const paths = planPaths(options.paths);
  const server = await addNetns(SERVER_NETNS);
  let emulator: LinkEmulator | undefined;
  let clientIsSet = false;
  const close = async (): Promise<void> => {
    if (clientIsSet) await ipBatch(undefined, clientUndoBatch(paths));
    clientIsSet = false;
    await emulator?.close();
    await removeNetns(server);
  };
  try {
    await Promise.all([
      setSysctls(undefined, baseSysctls(clientMptcp)),
      setSysctls(server.file, baseSysctls(serverMptcp)),
    ]);
    const wanted = options.congestionControl ?? DEFAULT_CONGESTION_CONTROL;
    const control = [['net.ipv4.tcp_congestion_control', wanted]] as const;
    // Often refused: the initial namespace's tcp_allowed_congestion_control decides. The media server then
    // sets it on its listener, which needs no such list.
    await Promise.all([trySysctls(undefined, control), trySysctls(server.file, control)]);
    emulator = await LinkEmulator.start({
      ...(options.emulatorFile === undefined ? {} : { file: options.emulatorFile }),
      ...(options.onFailure === undefined ? {} : { onFailure: options.onFailure }),
    });
    for (const [index, path] of paths.entries()) {
      await emulator.addLink(planLink(path, index, server.file, seed));
    }
    await ipBatch(server.file, serverBatch(serverMptcp));
    await ipBatch(undefined, clientBatch(paths, clientMptcp));
    clientIsSet = true;
    const links = emulator;
    return {
      paths,
      serverNetns: server.file,
      serverAddress: SERVER_ADDRESS,
      congestionControl: wanted,
      setLink: async (pathId, change) => {
        await links.setLink(pathId, change);
        if (change.state !== undefined) await waitForCarrier(pathId, change.state !== 'down');
      },
      linkStats: () => links.stats(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
