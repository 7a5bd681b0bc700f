import type { PathEvent, WantedPathState } from '../../core';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { MptcpConnection } from '../mptcp/connection';
import type { SimNetwork } from '../network/sim-network';

/** The network operations that a session needs. */
export type SessionNetwork = Pick<SimNetwork, 'paths' | 'pathsOf' | 'onCarrier'>;

/**
 * Time from the loss of a carrier until the player's path control has removed the address (measured: 18 to 27
 * ms).
 */
export const REACTION_NS = 20e6;

/**
 * The client's paths over all its connections. It applies the player's wanted states, and the kernel's events
 * when a carrier goes or comes.
 */
export class PathManager {
  readonly #simulation: Simulation;
  readonly #network: SessionNetwork;
  readonly #ids: readonly string[];
  readonly #controls: boolean;
  readonly #onEvent: (event: PathEvent) => void;
  readonly #desired = new Map<string, WantedPathState>();
  readonly #down = new Set<string>();
  #managed: MptcpConnection[] = [];

  /**
   * @param ids paths in use, the first carries the first subflow
   * @param controls the player may steer paths; without it a lost carrier is only observed
   */
  constructor(
    simulation: Simulation,
    network: SessionNetwork,
    ids: readonly string[],
    controls: boolean,
    onEvent: (event: PathEvent) => void,
  ) {
    this.#simulation = simulation;
    this.#network = network;
    this.#ids = ids;
    this.#controls = controls;
    this.#onEvent = onEvent;
    network.onCarrier((link, isUp) => this.#onCarrier(link, isUp));
  }

  get managed(): readonly MptcpConnection[] {
    return this.#managed;
  }

  /** Paths of a new connection, by index: those with a carrier, or all if none has one. */
  order(): number[] {
    const all = this.#ids.map((_, index) => index);
    const live = all.filter((index) => !this.#down.has(this.#ids[index] ?? ''));
    return live.length > 0 ? live : all;
  }

  /** Path of each subflow of a connection. */
  pathOf(connection: MptcpConnection): string[] {
    return connection.pathOf.map((index) => this.#ids[index] ?? '');
  }

  /** Registers a new connection. A closed one is forgotten. */
  add(connection: MptcpConnection): void {
    this.#managed = this.#managed.filter(({ client }) => client.isOpen);
    this.#managed.push(connection);
    connection.onJoin = (index, pathIndex) => {
      const wanted = this.#desired.get(this.#ids[pathIndex] ?? '') ?? 'active';
      if (wanted !== 'active') connection.client.setBackup(index, true);
    };
  }

  /** Applies a policy's wanted states. */
  want(pathId: string, desired: WantedPathState): void {
    const before = this.#desired.get(pathId) ?? 'active';
    if (!this.#controls || before === desired) return;
    this.#desired.set(pathId, desired);
    if (desired === 'closed') {
      this.#remove(pathId);
      return;
    }
    if (before === 'closed') this.#restore(pathId);
    // A connection made while the path was closed may have a subflow there.
    for (const connection of this.#managed) {
      this.pathOf(connection).forEach((id, index) => {
        if (id === pathId) connection.client.setBackup(index, desired === 'backup');
      });
    }
  }

  #onCarrier(link: string, isUp: boolean): void {
    for (const { id, via } of this.#network.paths) {
      if (via[0] !== link || !this.#ids.includes(id)) continue;
      if (isUp) this.#down.delete(id);
      else this.#down.add(id);
      this.#onEvent({
        monotonicMs: this.#simulation.nowNs / 1e6,
        kind: isUp ? 'interface-up' : 'interface-down',
        pathId: id,
        interfaceName: id,
      });
      if (!this.#controls) continue;
      new Timer(this.#simulation, () => {
        // A path that changed again meanwhile has its own timer.
        if (isUp === this.#down.has(id)) return;
        if (!isUp) this.#remove(id);
        else if (this.#desired.get(id) !== 'closed') this.#restore(id);
      }).setIn(REACTION_NS);
    }
  }

  #remove(pathId: string): void {
    for (const connection of this.#managed) connection.remove(this.#ids.indexOf(pathId));
  }

  #restore(pathId: string): void {
    if (this.#down.has(pathId)) return;
    const pathIndex = this.#ids.indexOf(pathId);
    for (const connection of this.#managed) {
      // The carrier returned before the reaction to its loss, so the subflow still exists.
      if (!connection.uses(pathIndex)) connection.rejoin(pathIndex);
    }
  }
}
