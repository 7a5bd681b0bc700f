import type { Capabilities } from '../../native/index';

export type FindingLevel = 'ok' | 'info' | 'warn' | 'fail';

/** One thing `doctor` looked at. */
export interface Finding {
  /** Stable name, for machines. */
  id: string;
  /** `fail`: multipath playback cannot work. `warn`: it works less well, or only the demo is missing. */
  level: FindingLevel;
  /** What was found, in one line. */
  title: string;
  /** What it means for playback. */
  meaning: string;
  /** The exact command that mends it. */
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

/** What the lab says it needs; see src/lab. */
interface DemoNeed {
  id: string;
  ok: boolean;
  message: string;
  fix?: string;
}

/** Everything `doctor` gathered before judging. Undefined: could not be known. */
export interface DoctorFacts {
  kernelRelease: string;
  /** net.mptcp.enabled; undefined where the kernel has no such key. */
  mptcpEnabled: boolean | undefined;
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
  browser: ToolFacts;
  electron: ToolFacts;
  demo: DemoNeed[];
  isRoot: boolean;
  capNetAdmin: boolean;
}
