import { BrainJournal } from '../../journal';
import {
  createBrain,
  stepBrain,
  type BrainConfig,
  type BrainDecision,
  type BrainInput,
  type BrainObservation,
  type BrainState,
} from '../../brain';
import type { BrainLogEntry } from '../../session-log';
import type { SimulatedLog } from './session-log';
import type { InputFilter, SessionSettings } from './session-options';

interface SessionBrainOptions {
  config: BrainConfig;
  filterInput?: InputFilter | undefined;
  /** Called with a replay's data after every decision. */
  onJournal?: ((nowMs: number, entries: BrainLogEntry[]) => void) | undefined;
}

/** The brain of a simulated session, and its inputs. */
export class SessionBrain {
  readonly #filterInput: InputFilter;
  readonly #journal: BrainJournal | undefined;
  readonly #onJournal: SessionBrainOptions['onJournal'];
  #state: BrainState;

  /** @throws PolicyConfigError on an unknown policy or setting */
  constructor({ config, filterInput, onJournal }: SessionBrainOptions) {
    this.#state = createBrain(config);
    this.#filterInput = filterInput ?? ((input) => [input]);
    this.#onJournal = onJournal;
    if (onJournal !== undefined) this.#journal = new BrainJournal();
    this.#journal?.config(config);
  }

  observe(input: Exclude<BrainInput, { type: 'decide' }>): void {
    this.#take(input);
  }

  /** Undefined if the filter withheld the observation from the brain. */
  decide(observation: BrainObservation): BrainDecision | undefined {
    return this.#take({ type: 'decide', observation });
  }

  #take(happened: BrainInput): BrainDecision | undefined {
    let last: BrainDecision | undefined;
    for (const input of this.#filterInput(happened)) {
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

/** The brain of a player that has one; its journal goes into the log where the settings ask for it. */
export function createSessionBrain(
  { player, filterInput, journal }: SessionSettings,
  log: SimulatedLog,
): SessionBrain | undefined {
  const config = player.kind === 'brain' ? player.config : player.policy;
  if (config === undefined) return undefined;
  const onJournal = (monotonicMs: number, entries: BrainLogEntry[]): void =>
    log.write({ type: 'brain', monotonicMs, entries });
  return new SessionBrain({
    config,
    filterInput,
    onJournal: journal === true ? onJournal : undefined,
  });
}
