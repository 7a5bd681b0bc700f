import {
  BrainJournal,
  createBrain,
  stepBrain,
  type BrainConfig,
  type BrainDecision,
  type BrainInput,
  type BrainObservation,
  type BrainState,
} from '../../brain';
import type { BrainLogEntry } from '../../qoe';

/** What the brain is told where something happened: that, something else, or nothing. */
export type Teller = (input: BrainInput) => readonly BrainInput[];

export interface SessionBrainOptions {
  config: BrainConfig;
  tell?: Teller | undefined;
  /** Given what a replay needs, after every decision. */
  onJournal?: ((nowMs: number, entries: BrainLogEntry[]) => void) | undefined;
}

/** The brain of a simulated session, and what it is told. */
export class SessionBrain {
  readonly #tell: Teller;
  readonly #journal: BrainJournal | undefined;
  readonly #onJournal: SessionBrainOptions['onJournal'];
  #state: BrainState;

  /** @throws PolicyConfigError on an unknown policy or setting */
  constructor({ config, tell, onJournal }: SessionBrainOptions) {
    this.#state = createBrain(config);
    this.#tell = tell ?? ((input) => [input]);
    this.#onJournal = onJournal;
    if (onJournal !== undefined) this.#journal = new BrainJournal();
    this.#journal?.config(config);
  }

  hear(input: Exclude<BrainInput, { type: 'decide' }>): void {
    this.#take(input);
  }

  /** Undefined where it was not told the question. */
  decide(observation: BrainObservation): BrainDecision | undefined {
    return this.#take({ type: 'decide', observation });
  }

  #take(happened: BrainInput): BrainDecision | undefined {
    let last: BrainDecision | undefined;
    for (const input of this.#tell(happened)) {
      const { state, decision } = stepBrain(this.#state, input);
      this.#state = state;
      if (input.type === 'configure') this.#journal?.config(input.config);
      else if (input.type !== 'decide') this.#journal?.input(input);
      else if (decision !== undefined) {
        last = decision;
        this.#journal?.decided(input.observation, decision);
        this.#onJournal?.(decision.monotonicMs, this.#journal?.take() ?? []);
      }
    }
    return last;
  }
}
