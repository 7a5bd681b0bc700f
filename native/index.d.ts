/**
 * The native addon: what the kernel says about MPTCP connections and their subflows, nothing more.
 * It holds no policy. All counters are since the socket was made; all times are microseconds or
 * milliseconds as their names say; `monotonicUs` is CLOCK_MONOTONIC. A field the running kernel does not
 * report (its structure is shorter than ours) is absent, never zero.
 */

/** Why a call failed; `code` is stable, `message` says what to do. */
export interface NativeError extends Error {
  code:
    | 'ULP_INFO_DENIED' // the kernel hides the subflow-to-connection tie from this user (before 6.15)
    | 'MPTCP_DIAG_MISSING' // no IPPROTO_MPTCP inet_diag (module mptcp_diag absent, or MPTCP not built)
    | 'MPTCP_UNAVAILABLE' // socket(IPPROTO_MPTCP) refused: net.mptcp.enabled=0 or not built
    | 'NETNS_UNAVAILABLE' // the named network namespace cannot be opened or entered
    | 'NOT_MPTCP' // the descriptor is not an MPTCP socket
    | 'FD_DENIED' // pidfd_getfd refused
    | 'CONNECT_FAILED'
    | 'BAD_ARGUMENT'
    | 'NETLINK'; // anything else the kernel answered; see errno
  errno?: number;
}

export interface SocketAddress {
  /** Textual IPv4 or IPv6 address; v4-mapped IPv6 is reported as IPv4. */
  address: string;
  port: number;
}

/** Selected fields of the kernel's `struct tcp_info`. */
export interface TcpInfo {
  /** Bytes of `tcp_info` the kernel returned. */
  length: number;
  state: number;
  caState: number;
  rttUs?: number;
  rttVarUs?: number;
  /** Absent also while nothing has been measured. */
  minRttUs?: number;
  rcvRttUs?: number;
  rcvSpaceBytes?: number;
  rcvMssBytes?: number;
  sndMssBytes?: number;
  sndCwndSegments?: number;
  sndSsthreshSegments?: number;
  /** Milliseconds since data last arrived. */
  lastDataRecvMs?: number;
  lastDataSentMs?: number;
  bytesReceived?: number;
  bytesAcked?: number;
  bytesSent?: number;
  bytesRetrans?: number;
  totalRetransSegments?: number;
  lostSegments?: number;
  segsIn?: number;
  segsOut?: number;
  dataSegsIn?: number;
  rcvOutOfOrderSegments?: number;
  rcvWindowBytes?: number;
  sndWindowBytes?: number;
  deliveryRateBytesPerSecond?: number;
  /** Absent also while there is no limit. */
  pacingRateBytesPerSecond?: number;
}

/** One TCP socket: an MPTCP subflow where `token` is set, plain TCP otherwise. */
export interface RawSubflow {
  local: SocketAddress;
  remote: SocketAddress;
  /** TCP state number (1 = ESTABLISHED, 2 = SYN_SENT, 7 = CLOSE, ...). */
  state: number;
  inode: number;
  uid: number;
  /** Bound device, 0 if none. */
  interfaceIndex: number;
  /**
   * Kernel socket cookie: identifies the socket for its whole life. From fullInfo(), where the kernel tells
   * none: the connection's cookie, a dot, and the subflow's number.
   */
  cookie: string;
  /** Local token of the MPTCP connection this subflow belongs to. */
  token?: number;
  localId?: number;
  remoteId?: number;
  /** MPTCP_SUBFLOW_FLAG_* bits from the kernel. */
  mptcpFlags?: number;
  /** Backup requested by the remote end (MP_PRIO or MP_JOIN B flag). */
  backupRemote?: boolean;
  /** Backup requested by this end. */
  backupLocal?: boolean;
  fullyEstablished?: boolean;
  /** The Sampler looks again at least every 5 s. */
  congestionControl?: string;
  tcp?: TcpInfo;
}

/** One MPTCP connection with selected fields of `struct mptcp_info`. */
export interface RawConnection {
  token: number;
  local: SocketAddress;
  remote: SocketAddress;
  state: number;
  inode: number;
  uid: number;
  cookie: string;
  /** Bytes of `mptcp_info` the kernel returned. */
  infoLength: number;
  /** Additional subflows beside the first one (mptcpi_subflows). */
  extraSubflows?: number;
  /** All subflows, the first included (mptcpi_subflows_total, since 6.8). */
  subflowsTotal?: number;
  flags?: number;
  /** True when the connection fell back to plain TCP. */
  fallback?: boolean;
  remoteKeyReceived?: boolean;
  /** In-order data bytes delivered at connection level. */
  bytesReceived?: number;
  bytesSent?: number;
  bytesRetrans?: number;
  bytesAcked?: number;
  /** Low bits of the connection-level sequence expected next. */
  rcvNxt?: string;
  lastDataRecvMs?: number;
  addAddrSignal?: number;
  addAddrAccepted?: number;
  localAddrUsed?: number;
}

export interface Snapshot {
  /** When the kernel was asked (CLOCK_MONOTONIC). */
  monotonicUs: number;
  /** CPU time this snapshot cost its thread. */
  cpuUs: number;
  connections: RawConnection[];
  subflows: RawSubflow[];
}

/**
 * A connection is judged by its own ends and owner and brings all its subflows along, those to other
 * addresses of the same server too. Plain sockets are judged by themselves.
 */
export interface SnapshotFilter {
  /** Only sockets whose remote end is one of these; port 0 means any port. At most 64. */
  remotes?: SocketAddress[];
  /** Only sockets of these users. At most 64. */
  uids?: number[];
  /** Also report plain TCP sockets (no token) that pass the filter. Default false. */
  includePlainTcp?: boolean;
}

export interface SnapshotOptions extends SnapshotFilter {
  /** Name of a network namespace under /run/netns, or a path to one; default: the caller's. */
  netns?: string;
}

/** One snapshot, synchronously. Throws NativeError. */
export function snapshot(options?: SnapshotOptions): Snapshot;

export interface SamplerOptions extends SnapshotOptions {
  /** 10 to 10000; default 100. */
  periodMs?: number;
  /** Snapshots the ring holds before the oldest is overwritten; default 256. */
  capacity?: number;
  /** Called on the JavaScript thread when snapshots wait to be read (coalesced). */
  onReadable?: () => void;
}

export interface SamplerStats {
  taken: number;
  read: number;
  /** Snapshots overwritten before they were read. */
  lost: number;
  failed: number;
  meanCpuUs: number;
  lastError?: { code: NativeError['code']; errno: number; message: string };
}

/**
 * Samples on its own thread with a monotonic clock; a busy JavaScript thread delays reading, not sampling.
 * A new connection shows at once when none was known, else within 500 ms; a new or closed subflow in the next
 * snapshot. Does not keep the process running; ends with its worker or process.
 */
export class Sampler {
  constructor(options?: SamplerOptions);
  /** Throws NativeError when the network namespace cannot be entered. */
  start(): void;
  /** Joins the thread; idempotent. Unread snapshots can still be read. */
  stop(): void;
  setFilter(filter: SnapshotFilter): void;
  /** Everything in the ring, oldest first. */
  read(): Snapshot[];
  stats(): SamplerStats;
}

export interface ConnectOptions {
  address: string;
  port: number;
  localAddress?: string;
  /** 1 to 600000; default 10000. Waits on a thread of the libuv pool. */
  timeoutMs?: number;
}

/** Connects a new MPTCP socket; resolves to a non-blocking fd for `new net.Socket({ fd })`. Rejects with NativeError. */
export function connectMptcp(options: ConnectOptions): Promise<number>;

/** MPTCP_FULL_INFO of an MPTCP socket of this process (since 5.16; all subflows since 6.5). Throws NativeError. */
export function fullInfo(fd: number): Snapshot;

/** A duplicate of another process's descriptor (pidfd_getfd; needs to be its tracer-parent or CAP_SYS_PTRACE). */
export function dupFd(pid: number, fd: number): number;

export function closeFd(fd: number): void;

/** What this kernel grants this user. */
export interface Capabilities {
  mptcp: boolean;
  mptcpDiag: boolean;
  /** inet_diag tells which connection a subflow belongs to. */
  ulpInfo: boolean;
  /** Says why when ulpInfo is false. */
  ulpInfoReason?: string;
  fullInfo: boolean;
  tcpInfoLength: number;
  mptcpInfoLength: number;
}

export function capabilities(): Capabilities;

/** Decodes captured inet_diag messages (tests, fuzzing, offline analysis). Throws NativeError on malformed bytes. */
export function decodeDiag(bytes: Uint8Array, protocol: 'tcp' | 'mptcp'): Snapshot;
