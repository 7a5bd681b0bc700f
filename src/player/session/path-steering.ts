import { networkOf, type PathId, type SampleBatch, type WantedPathState } from '../../core';
import type { BrainDecision, ControllablePaths } from '../../brain';
import type { Clock, Transport } from '../../ports';
import type { PathControlReport } from '../../session-log';
import type { NewEvent } from './session';

export interface PathSteeringOptions {
  transport: Pick<Transport, 'requestPaths'>;
  clock: Pick<Clock, 'nowMs'>;
  /** False: the wanted states are logged, and nothing is requested. */
  allowed: boolean;
  emit: (event: NewEvent) => void;
}

/** Paths remembered; the kernel has at most 8 subflows a connection. */
const MAX_PATHS = 64;
/** Delay before a wanted state that did not come about is requested again. Chosen; no measurement. */
const RETRY_MS = 3000;
/** Delay for a returned path without the state requested meanwhile: the report may still be under way. Chosen; no measurement. */
const SETTLE_MS = 500;
/** Delay after a refusal: by then the helper may run, or the user may have changed the setting. Chosen; no measurement. */
const REFUSED_RETRY_MS = 15_000;

/** Sends the brain's wanted path states to the path control, and reports the outcome. */
export class PathSteering {
  readonly #options: PathSteeringOptions;
  /** The current paths of the stream in the kernel. */
  readonly #living = new Map<PathId, 'active' | 'backup'>();
  /** Refused for good: another program decided about the path. */
  readonly #foreign = new Set<PathId>();
  /** Not closed, because another program made the endpoint: they become backups instead. */
  readonly #neverClosed = new Set<PathId>();
  readonly #seen = new Set<PathId>();
  readonly #notBeforeMs = new Map<PathId, number>();
  #report: PathControlReport | undefined;
  #wanted = '';
  #reportedPolicy = '';
  #sequence = 0;

  constructor(options: PathSteeringOptions) {
    this.#options = options;
  }

  /** The last reported control; undefined without path control. */
  get report(): PathControlReport | undefined {
    return this.#report;
  }

  control(): ControllablePaths {
    if (!this.#canAsk()) return 'none';
    return this.#foreign.size === 0
      ? 'all'
      : [...this.#seen].filter((pathId) => !this.#foreign.has(networkOf(pathId)));
  }

  onSamples(batch: SampleBatch): void {
    const before = new Set(this.#living.keys());
    this.#living.clear();
    for (const { subflows } of batch.connections) {
      for (const { pathId, state } of subflows) {
        if (this.#seen.size < MAX_PATHS) this.#seen.add(pathId);
        if (state === 'active' || (state === 'backup' && !this.#living.has(pathId))) {
          this.#living.set(pathId, state);
        }
      }
    }
    for (const pathId of this.#living.keys()) {
      if (before.has(pathId) || this.#notBeforeMs.get(pathId) !== Infinity) continue;
      this.#notBeforeMs.set(pathId, this.#options.clock.nowMs() + SETTLE_MS);
    }
  }

  onReport(report: PathControlReport): void {
    this.#report = report;
    for (const { pathId, state, code } of report.refusals) {
      if (code === 'FOREIGN' && state === 'closed') {
        this.#neverClosed.add(networkOf(pathId));
        this.#notBeforeMs.delete(pathId);
        continue;
      }
      if (code === 'FOREIGN') this.#foreign.add(networkOf(pathId));
      this.#notBeforeMs.set(pathId, this.#options.clock.nowMs() + REFUSED_RETRY_MS);
    }
    // A path that changed after all is not refused.
    for (const { pathId, changed } of report.paths) if (changed) this.#foreign.delete(pathId);
  }

  /** The feed has ended, and with it the path control. */
  onFeedEnd(): void {
    this.#report = undefined;
  }

  decided(decision: BrainDecision, policy: string): void {
    if (decision.paths.length === 0) return;
    const desired = decision.paths.map(({ pathId, desired: state }) => ({ pathId, state }));
    const wanted = JSON.stringify(desired);
    const isNew = wanted !== this.#wanted;
    if (isNew) this.#notBeforeMs.clear();
    this.#wanted = wanted;
    const sequence = this.#ask(desired);
    const isOtherPolicy = policy !== this.#reportedPolicy;
    this.#reportedPolicy = policy;
    if (!isNew && !isOtherPolicy) return;
    this.#options.emit({
      type: 'path-decision',
      monotonicMs: decision.monotonicMs,
      policy,
      desired,
      ...(sequence === undefined ? {} : { sequence }),
      forecast: decision.forecast,
      reason: decision.pathReason,
    });
  }

  #canAsk(): boolean {
    const { allowed, transport } = this.#options;
    return allowed && transport.requestPaths !== undefined && !!this.#report?.capability.available;
  }

  #ask(desired: readonly { pathId: PathId; state: WantedPathState }[]): number | undefined {
    if (!this.#canAsk()) return undefined;
    const nowMs = this.#options.clock.nowMs();
    const due = desired
      .map(({ pathId, state }) => ({ pathId, state: this.#permitted(pathId, state) }))
      .filter(
        ({ pathId, state }) =>
          this.#differs(pathId, state) && nowMs >= (this.#notBeforeMs.get(pathId) ?? 0),
      );
    if (due.length === 0) return undefined;
    for (const { pathId } of due) {
      // A path without a subflow returns on its own, in its requested state.
      this.#notBeforeMs.set(pathId, this.#living.has(pathId) ? nowMs + RETRY_MS : Infinity);
    }
    this.#sequence += 1;
    this.#options.transport.requestPaths?.({ sequence: this.#sequence, paths: due });
    return this.#sequence;
  }

  #permitted(pathId: PathId, state: WantedPathState): WantedPathState {
    return state === 'closed' && this.#neverClosed.has(networkOf(pathId)) ? 'backup' : state;
  }

  #differs(pathId: PathId, state: WantedPathState): boolean {
    if (this.#foreign.has(networkOf(pathId))) return false;
    const living = this.#living.get(pathId);
    const reported = this.#report?.paths.find((path) => path.pathId === networkOf(pathId))?.state;
    // The kernel's state of a live subflow; without one, the state of its endpoint.
    if (living !== undefined && living !== state) return true;
    return reported !== undefined && reported !== state;
  }
}
