/**
 * The native addon: the kernel's data of MPTCP connections and their subflows, without policy. Counters start
 * with the socket; times are microseconds or milliseconds, as their names state. `monotonicUs` is
 * CLOCK_MONOTONIC. A field that the running kernel does not report (its structure is shorter) is absent,
 * never zero.
 */

/** The reason of a failed call; `code` is stable, `message` names the remedy. */
export interface NativeError extends Error {
  code:
    | 'ULP_INFO_DENIED' // the kernel withholds the connection of a subflow from this user (before 6.15)
    | 'MPTCP_DIAG_MISSING' // no IPPROTO_MPTCP inet_diag (module mptcp_diag absent, or MPTCP not built)
    | 'MPTCP_UNAVAILABLE' // socket(IPPROTO_MPTCP) refused: net.mptcp.enabled=0 or not built
    | 'NETNS_UNAVAILABLE' // the named network namespace cannot be opened or entered
    | 'NOT_MPTCP' // the descriptor is not an MPTCP socket
    | 'FD_DENIED' // pidfd_getfd refused
    | 'NO_INTERFACE' // openSocket: there is no interface of that name
    | 'BIND_DENIED' // openSocket: the kernel refuses the socket, its interface or its address
    | 'NOT_TCP' // the descriptor is not a TCP socket
    | 'CONNECT_FAILED'
    | 'BAD_ARGUMENT'
    | 'NETLINK'; // any other answer of the kernel; see errno
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
  /** Absent also before the first measurement. */
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
  /** Absent also without a limit. */
  pacingRateBytesPerSecond?: number;
}

/** One TCP socket: an MPTCP subflow if `token` is set, plain TCP otherwise. */
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
   * Kernel socket cookie: identifies the socket for its whole life. From fullInfo(), if the kernel reports
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
  /** The Sampler refreshes it at least every 5 s. */
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
  /** Time of the kernel's answer (CLOCK_MONOTONIC). */
  monotonicUs: number;
  /** CPU time of this snapshot in its thread. */
  cpuUs: number;
  connections: RawConnection[];
  subflows: RawSubflow[];
}

/**
 * A connection is filtered by its own ends and owner. It includes all its subflows, those to other addresses
 * of the same server too. Plain sockets are filtered individually.
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
  /** Called on the JavaScript thread when snapshots are pending (coalesced). */
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
 * Samples on a separate thread with a monotonic clock; a busy JavaScript thread delays reading, not sampling.
 * A new connection appears at once if none was known, else within 500 ms. A new or closed subflow appears in
 * the next snapshot. Does not keep the process running; ends with its worker or process.
 */
export class Sampler {
  constructor(options?: SamplerOptions);
  /** Throws NativeError if the network namespace cannot be entered. */
  start(): void;
  /** Joins the thread; idempotent. Unread snapshots can still be read. */
  stop(): void;
  setFilter(filter: SnapshotFilter): void;
  /** All snapshots in the ring, oldest first. */
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

export interface OpenSocketOptions {
  family: 4 | 6;
  /** Packets leave and arrive by this interface only (SO_BINDTODEVICE: no privilege since Linux 5.7). */
  interfaceName?: string;
  /** Source address; by default the kernel chooses it. */
  localAddress?: string;
  /** Default false: plain TCP. */
  mptcp?: boolean;
}

/**
 * A non-blocking socket, not connected: adopt it with `new net.Socket({ fd })`, then `connect`. Throws NativeError.
 */
export function openSocket(options: OpenSocketOptions): number;

/** The kernel's state of a TCP socket of this process; needs no privilege. Throws NativeError. */
export function socketInfo(fd: number): RawSubflow;

/**
 * Limits what the other end of a TCP socket may have in flight, at once and for as long as the socket lives. Throws NativeError.
 * @param bytes 1 to 2147483647; the kernel takes no less than about 1 kB
 */
export function limitReceiveWindow(fd: number, bytes: number): void;

/**
 * The socket wakes its reader from so many unread bytes on, or at its end (SO_RCVLOWAT). Throws NativeError.
 * @param bytes 1 to 2147483647. Fewer than the rest of an answer, or its last bytes stay unread.
 */
export function setReceiveLowWater(fd: number, bytes: number): void;

/** MPTCP_FULL_INFO of an MPTCP socket of this process (since 5.16; all subflows since 6.5). Throws NativeError. */
export function fullInfo(fd: number): Snapshot;

/** A duplicate of another process's descriptor (pidfd_getfd; requires its tracer-parent or CAP_SYS_PTRACE). */
export function dupFd(pid: number, fd: number): number;

export function closeFd(fd: number): void;

/**
 * Threads of this process that start from now on share so many arenas of the C library's heap (glibc's `M_ARENA_MAX`).
 * It holds for the whole process, so only a program calls it, never an embedded player. No effect without glibc.
 * @param count 1 to 2147483647. Throws NativeError.
 */
export function limitHeapArenas(count: number): void;

/** Gives free pages of the C library's heap back to the kernel (`malloc_trim`). No effect without glibc. */
export function trimHeap(): void;

/** Capabilities that this kernel grants this user. */
export interface Capabilities {
  mptcp: boolean;
  mptcpDiag: boolean;
  /** inet_diag reports the connection of a subflow. */
  ulpInfo: boolean;
  /** The reason if ulpInfo is false. */
  ulpInfoReason?: string;
  fullInfo: boolean;
  tcpInfoLength: number;
  mptcpInfoLength: number;
}

export function capabilities(): Capabilities;

/** Decodes captured inet_diag messages (tests, fuzzing, offline analysis). Throws NativeError on malformed bytes. */
export function decodeDiag(bytes: Uint8Array, protocol: 'tcp' | 'mptcp'): Snapshot;
