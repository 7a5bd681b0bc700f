import { readMptcpEnabled, readMptcpSuspension } from '../../kernel';
import { pathManagerKind, readPathManager } from '../../path-control';

/** Interval between reads of the sysctls. */
const SYSCTL_MS = 2000;

/** MPTCP's sysctls and counters of this network namespace, read again after a while. */
export class MptcpSettings {
  isEnabled = readMptcpEnabled();
  /** True if the kernel gave a socket TCP in place of MPTCP since the feed began, after a blackhole. */
  wasSuspended = false;
  #pathManager = pathManagerKind(readPathManager());
  #suspension = readMptcpSuspension();
  #readMs: number;

  constructor(nowMs: number) {
    this.#readMs = nowMs;
  }

  get hasUserspacePathManager(): boolean {
    return this.#pathManager === 'userspace';
  }

  refresh(nowMs: number): void {
    if (nowMs - this.#readMs < SYSCTL_MS) return;
    this.#readMs = nowMs;
    this.isEnabled = readMptcpEnabled();
    this.#pathManager = pathManagerKind(readPathManager());
    const latest = readMptcpSuspension();
    this.wasSuspended ||= latest.connects > this.#suspension.connects;
    this.#suspension = latest;
  }
}
