import type { BrainDecision } from '../../brain';
import type { MediaType, NetworkWish } from '../../core';
import type { Clock, LogSink, PlayerSnapshot, Transport, TransportMessage } from '../../ports';
import type { EndEvent } from '../../session-log';
import { Brain, type BrainPlayer } from './brain';
import { createBrowserClock, every } from '../video/browser-clock';
import { feedEvents } from '../core/feed-events';
import { createNoFeedTransport } from '../feed/no-feed-transport';
import { createNetworkMemory, noMemory, type NetworkMemory } from './network-memory';
import { Origins } from '../video/origins';
import { PathSteering } from './path-steering';
import { MEMORY_PERIOD_MS } from './periods';
import { factsAfterMessage, factsAfterRung, initialFacts, isPathDecision } from './player-facts';
import { PolicyChoice, type PolicyChoiceOptions } from './policy-choice';
import { Session, type NewEvent } from './session';

export interface DecisionSessionOptions extends PolicyChoiceOptions {
  transport?: Transport | undefined;
  logSink?: LogSink | undefined;
  memory?: NetworkMemory | false | undefined;
}

/**
 * One stream's log, path feed, brain and path requests, for any player. Each message of the feed passes through
 * here in a fixed order: path requests, brain, facts, log.
 */
export class DecisionSession {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly session: Session;
  readonly origins: Origins;
  readonly policy: PolicyChoice;
  readonly steering: PathSteering;
  readonly brain: Brain;
  readonly #memory: NetworkMemory;
  readonly #cleanup: (() => void)[];
  /** Names the player in messages. */
  readonly #playerName: string;
  #facts = initialFacts;

  /** @throws PolicyConfigError on an unknown policy or setting */
  constructor(options: DecisionSessionOptions, playerName: string) {
    const { transport = createNoFeedTransport(), memory = createNetworkMemory() } = options;
    this.transport = transport;
    this.#playerName = playerName;
    this.clock = createBrowserClock(transport);
    this.session = new Session(this.clock, options.logSink);
    const { emit } = this.session;
    this.origins = new Origins((origins) => transport.watch(origins));
    this.policy = new PolicyChoice(options);
    const { decides, steers } = this.policy;
    this.steering = new PathSteering({ transport, clock: this.clock, allowed: steers, emit });
    this.#memory = memory === false || !decides ? noMemory : memory;
    const remembered = this.#memory.recall();
    this.brain = new Brain({
      clock: this.clock,
      config: { ...this.policy.brainConfig(), ...(remembered.length > 0 ? { remembered } : {}) },
      decides,
      emit,
    });
    this.#cleanup = [transport.subscribe((message) => this.#onMessage(message))];
  }

  /** Begins the log and the decisions. */
  begin(config: NewEvent & { type: 'config' }, player: BrainPlayer): void {
    this.session.begin(config);
    this.brain.begin({
      observe: player.observe,
      onDecision: (decision) => {
        this.#onDecision(decision);
        player.onDecision(decision);
      },
    });
    this.session.emit({ type: 'status', status: this.#facts.status });
    const { report } = this.steering;
    if (report) this.session.emit({ type: 'path-control', report });
    this.#cleanup.push(
      every(this.clock, MEMORY_PERIOD_MS, () => this.#memory.remember(this.brain.memorable())),
    );
  }

  /** The brain has chosen a rung. */
  choseRung(choice: { mediaType: MediaType; reason: string; toRung: number }): void {
    this.#facts = factsAfterRung(this.#facts, choice);
  }

  /** The part of a snapshot that does not depend on the player. */
  snapshot(): Pick<PlayerSnapshot, 'lastDecision' | 'forecast' | 'status' | 'carriage' | 'paths'> {
    const { carriage, lastDecision, pathReason, status } = this.#facts;
    return {
      ...(lastDecision ? { lastDecision } : {}),
      forecast: this.brain.forecast(),
      status,
      ...(carriage ? { carriage } : {}),
      ...(this.policy.steers
        ? { paths: this.policy.view(this.brain.config, pathReason, this.steering.report) }
        : {}),
    };
  }

  setPolicy(name: string | undefined): void {
    this.policy.pin(name, (config) => this.brain.configure(config));
  }

  setNetworks(networks: readonly NetworkWish[]): void {
    this.policy.wish(networks, (config) => this.brain.configure(config));
  }

  /** Stops listening to the feed and remembers the networks. The log stays open for the last events. */
  detach(): void {
    this.#memory.remember(this.brain.memorable());
    for (const undo of this.#cleanup.splice(0)) undo();
  }

  /** Ends the log. From here on the player's own rules decide, because the brain has no feed. */
  end(reason: EndEvent['reason'] | undefined, ended: boolean): void {
    this.session.close(reason ?? (this.session.failed ? 'failed' : ended ? 'ended' : 'closed'));
    this.brain.onTransport({ type: 'closed', reason: 'The player was detached.' });
  }

  #onDecision(decision: BrainDecision): void {
    if (!isPathDecision(decision)) return;
    this.#facts = { ...this.#facts, pathReason: decision.pathReason };
    if (this.policy.steers) this.steering.decided(decision, this.brain.config.policy);
  }

  #onMessage(message: TransportMessage): void {
    if (message.type === 'samples') this.steering.onSamples(message.batch);
    if (message.type === 'closed') this.steering.onFeedEnd();
    const config = message.type === 'carriage' ? this.policy.carriedBy(message) : undefined;
    if (config) this.brain.configure(config);
    this.brain.onTransport(message);
    if (message.type === 'path-control') this.steering.onReport(message.report);
    this.#facts = factsAfterMessage(this.#facts, message);
    feedEvents(message, this.#playerName).forEach(this.session.emit);
  }
}
