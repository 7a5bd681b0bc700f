import type { TunnelState } from '../../kernel';
import type { Capabilities } from '../../../native/index';

export type FindingLevel = 'ok' | 'info' | 'warn' | 'fail';

/** One result of `doctor`. */
export interface Finding {
  /** Stable name, for machines. */
  id: string;
  /** `fail`: multipath playback cannot work. `warn`: it works less well, or only the demo is missing. */
  level: FindingLevel;
  /** The observation, in one line. */
  title: string;
  /** Its meaning for playback. */
  meaning: string;
  /** The exact command that corrects it. */
  fix?: string;
}

export interface NetworkInterfaceFacts {
  name: string;
  /** Global addresses of this interface. */
  addresses: string[];
  /** IP versions for which a default route leaves through it, in any table. */
  defaultRoutes: (4 | 6)[];
  /** Own value of rp_filter; 1 is strict. */
  rpFilter?: number | undefined;
}

export interface EndpointFacts {
  address: string;
  device?: string | undefined;
  flags: string[];
}

export interface NetworkManagerFacts {
  version: string;
  running: boolean;
  /** Active connections with their connection.mptcp-flags, as nmcli prints them. */
  connections: { name: string; device: string; mptcpFlags: string }[];
}

export type ToolFacts = { path: string; version: string } | undefined;

/** Requirements of the lab; see src/lab. */
interface DemoNeed {
  id: string;
  ok: boolean;
  message: string;
  fix?: string;
}

/** The installation from which the command runs. */
export interface InstallationFacts {
  /** `checkout`: sources of a developer; `package`: as npm installed it. */
  kind: 'checkout' | 'package';
  folder: string;
  /** The desktop player of the system's package, if it is installed. */
  desktopPlayer?: string | undefined;
}

/** All facts that `doctor` judges. Undefined: unknown. */
export interface DoctorFacts {
  installation: InstallationFacts;
  kernelRelease: string;
  /** net.mptcp.enabled. Undefined if the kernel has no such key. */
  mptcpEnabled: boolean | undefined;
  /** Times that the kernel stopped opening MPTCP connections for a while (blackhole detection). */
  mptcpSuspensions: number;
  /** net.mptcp.path_manager, or pm_type of older kernels. */
  pathManager?: string | undefined;
  addon: { loaded: true; capabilities: Capabilities } | { loaded: false; reason: string };
  limits?: { subflows: number; addAddrAccepted: number } | undefined;
  endpoints?: EndpointFacts[] | undefined;
  /** Interfaces that are up, without loopback. */
  interfaces: NetworkInterfaceFacts[];
  /** net.ipv4.conf.all.rp_filter. */
  rpFilterAll?: number | undefined;
  networkManager?: NetworkManagerFacts | undefined;
  /** Whether the system sends through a VPN although hardware networks are up. */
  tunnel: TunnelState;
  browser: ToolFacts;
  electron: ToolFacts;
  demo: DemoNeed[];
  isRoot: boolean;
  capNetAdmin: boolean;
}
