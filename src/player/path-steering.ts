import type { BrainDecision, ControllablePaths } from '../brain';
import type { PathId, SampleBatch } from '../core';
import type { Clock, Transport } from '../ports';
import type { PathControlReport, WantedPathState } from '../qoe';
import type { NewEvent } from './session';

export interface PathSteeringOptions {
  transport: Pick<Transport, 'requestPaths'>;
  clock: Pick<Clock, 'nowMs'>;
  /** False: what is wanted is logged, and nothing is asked for. */
  allowed: boolean;
  policy: () => string;
  emit: (event: NewEvent) => void;
}

/** A state that did not come about is asked for again after this long. */
const RETRY_MS = 3000;
/** One that came back and does not show what was asked for meanwhile, after this long: it may not be told yet. */
const SETTLE_MS = 500;
/** One that was refused, after this long: the helper may be there then, the user may have changed their mind. */
const REFUSED_RETRY_MS = 15_000;

const interfaceOf = (pathId: PathId): PathId => pathId.split('>')[0] ?? pathId;

/** Carries what the brain wants of the paths to whoever controls them, and what came of it back. */
export class PathSteering {
  readonly #options: PathSteeringOptions;
  /** How the kernel shows the paths of the stream now. */
  readonly #living = new Map<PathId, 'active' | 'backup'>();
  /** Refused for good: somebody else decided about the path. */
  readonly #foreign = new Set<PathId>();
  readonly #seen = new Set<PathId>();
  readonly #notBeforeMs = new Map<PathId, number>();
  #report: PathControlReport | undefined;
  #wanted = '';
  #toldPolicy = '';
  #sequence = 0;

  constructor(options: PathSteeringOptions) {
    this.#options = options;
  }

  /** What was reported last; undefined where nobody controls paths. */
  get report(): PathControlReport | undefined {
    return this.#report;
  }

  control(): ControllablePaths {
    if (!this.#canAsk()) return 'none';
    return this.#foreign.size === 0
      ? 'all'
      : [...this.#seen].filter((pathId) => !this.#foreign.has(interfaceOf(pathId)));
  }

  onSamples(batch: SampleBatch): void {
    const before = new Set(this.#living.keys());
    this.#living.clear();
    for (const { subflows } of batch.connections) {
      for (const { pathId, state } of subflows) {
        if (this.#seen.size < 64) this.#seen.add(pathId);
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
    for (const { pathId, code } of report.refusals) {
      if (code === 'FOREIGN') this.#foreign.add(interfaceOf(pathId));
      this.#notBeforeMs.set(pathId, this.#options.clock.nowMs() + REFUSED_RETRY_MS);
    }
    // Nobody refuses a path that changed after all.
    for (const { pathId, changed } of report.paths) if (changed) this.#foreign.delete(pathId);
  }

  /** The feed is gone, and with it whoever could act. */
  onFeedEnd(): void {
    this.#report = undefined;
  }

  decided(decision: BrainDecision): void {
    if (decision.paths.length === 0) return;
    const desired = decision.paths.map(({ pathId, desired: state }) => ({ pathId, state }));
    const wanted = JSON.stringify(desired);
    const isNew = wanted !== this.#wanted;
    if (isNew) this.#notBeforeMs.clear();
    this.#wanted = wanted;
    const sequence = this.#ask(desired);
    const policy = this.#options.policy();
    const isOtherPolicy = policy !== this.#toldPolicy;
    this.#toldPolicy = policy;
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
    const due = desired.filter(
      ({ pathId, state }) =>
        this.#differs(pathId, state) && nowMs >= (this.#notBeforeMs.get(pathId) ?? 0),
    );
    if (due.length === 0) return undefined;
    for (const { pathId } of due) {
      // One without a subflow comes back by itself, in the state it was asked to have.
      this.#notBeforeMs.set(pathId, this.#living.has(pathId) ? nowMs + RETRY_MS : Infinity);
    }
    this.#sequence += 1;
    this.#options.transport.requestPaths?.({ sequence: this.#sequence, paths: due });
    return this.#sequence;
  }

  #differs(pathId: PathId, state: WantedPathState): boolean {
    if (this.#foreign.has(interfaceOf(pathId))) return false;
    const living = this.#living.get(pathId);
    const reported = this.#report?.paths.find((path) => path.pathId === interfaceOf(pathId))?.state;
    // The kernel's word on a living subflow; without one, how its endpoint was left.
    if (living !== undefined && living !== state) return true;
    return reported !== undefined && reported !== state;
  }
}
