import type { PathEvent } from '../../core';
import type { DesiredState } from '../../paths';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { MptcpConnection } from '../mptcp/connection';
import type { SimNetwork } from '../network/sim-network';

/** From the loss of a carrier until the player's path control has removed the address (measured: 18 to 27 ms). */
const REACTION_NS = 20e6;

/** What the client's path manager knows of one connection. */
export interface Managed {
  readonly connection: MptcpConnection;
  /** Path of each subflow, in the order of the subflows. */
  readonly pathOf: string[];
}

/**
 * The client's paths over all its connections: what the player wants of each, and what the kernel tells when a
 * carrier goes or comes.
 */
export class PathManager {
  readonly #simulation: Simulation;
  readonly #network: SimNetwork;
  readonly #ids: readonly string[];
  readonly #controls: boolean;
  readonly #onEvent: (event: PathEvent) => void;
  readonly #desired = new Map<string, DesiredState>();
  readonly #down = new Set<string>();
  #managed: Managed[] = [];

  /**
   * @param ids paths in use, the first carries the first subflow
   * @param controls the player may steer paths; without it a lost carrier is only noticed
   */
  constructor(
    simulation: Simulation,
    network: SimNetwork,
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

  get managed(): readonly Managed[] {
    return this.#managed;
  }

  /** A connection was made; one that is closed is forgotten. */
  add(connection: MptcpConnection): void {
    const pathOf = [...this.#ids];
    this.#managed = this.#managed.filter((one) => one.connection.client.isOpen);
    this.#managed.push({ connection, pathOf });
    this.#ids.forEach((id, index) => {
      if (this.#desired.get(id) === 'backup' || this.#desired.get(id) === 'closed') {
        connection.client.setBackup(index, true);
      }
    });
  }

  /** Carries out what a policy wants: `closed` is a backup that carries nothing while another path lives. */
  want(pathId: string, desired: DesiredState): void {
    if (!this.#controls || this.#desired.get(pathId) === desired) return;
    const before = this.#desired.get(pathId) ?? 'active';
    this.#desired.set(pathId, desired);
    const backup = desired !== 'active';
    if (backup === (before !== 'active')) return;
    for (const { connection, pathOf } of this.#managed) {
      pathOf.forEach((id, index) => {
        if (id === pathId) connection.client.setBackup(index, backup);
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
      new Timer(this.#simulation, () => (isUp ? this.#restore(id) : this.#remove(id))).setIn(
        REACTION_NS,
      );
    }
  }

  #remove(pathId: string): void {
    if (!this.#down.has(pathId)) return;
    for (const { connection, pathOf } of this.#managed) {
      pathOf.forEach((id, index) => {
        if (id === pathId) connection.remove(index);
      });
    }
  }

  #restore(pathId: string): void {
    if (this.#down.has(pathId)) return;
    const pathIndex = this.#ids.indexOf(pathId);
    for (const { connection, pathOf } of this.#managed) {
      const index = connection.rejoin(pathIndex);
      pathOf[index] = pathId;
      const wanted = this.#desired.get(pathId) ?? 'active';
      if (wanted !== 'active') connection.client.setBackup(index, true);
    }
  }
}
