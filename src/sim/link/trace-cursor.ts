import type { TraceSpec, TraceStep } from '../../scenario';
import { NEVER_NS } from './rate-server';

const MS = 1e6;

/** A position in a trace that moves with time; the trace repeats, or its last step stays. */
export class TraceCursor {
  /** Start of the next step. */
  nextChangeNs = 0;
  readonly #steps: readonly TraceStep[];
  readonly #loops: boolean;
  #index = -1;

  /** @param spec with at least one step */
  constructor(spec: TraceSpec, startNs: number) {
    this.#steps = spec.steps;
    this.#loops = spec.once !== true;
    this.nextChangeNs = startNs;
  }

  /** Moves to the next step, at `nextChangeNs`. */
  advance(): TraceStep {
    const isLast = this.#index === this.#steps.length - 1;
    this.#index = isLast ? 0 : this.#index + 1;
    const step = this.#steps[this.#index];
    if (step === undefined) throw new RangeError('a trace without steps');
    const stays = !this.#loops && this.#index === this.#steps.length - 1;
    this.nextChangeNs = stays ? NEVER_NS : this.nextChangeNs + Math.round(step.durationMs * MS);
    return step;
  }
}
