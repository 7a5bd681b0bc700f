import { type SampleBatch, UnheardFlags, type WantedPathState } from '../../core';
import type { CarriageOptions, SessionCarriage } from './carriage';
import { HttpClient } from './http-client';
import { PathManager } from './path-manager';
import { sampleConnections } from './sampler';

/** One persistent MPTCP connection a medium. */
export class MptcpCarriage implements SessionCarriage {
  readonly clients: readonly HttpClient[];
  readonly #paths: PathManager;
  readonly #unheard = new UnheardFlags();

  constructor(options: CarriageOptions) {
    const { simulation, network, ids, flow, controls, createScheduler, createCongestion } = options;
    const { receiveBufferBytes, nextId, onPathEvent } = options;
    const paths = new PathManager(simulation, network, ids, controls, onPathEvent);
    this.#paths = paths;
    const host = { hasBlackhole: false };
    this.clients = Array.from({ length: options.media }, (_, index) => {
      const connection = {
        paths: network.pathsOf(ids),
        createScheduler,
        createCongestion,
        host,
        ...(receiveBufferBytes === undefined ? {} : { receiveBufferBytes }),
        flow: flow + 1000 * (index + 1),
      };
      const order = (): readonly number[] => paths.order();
      return new HttpClient(simulation, connection, nextId, order, (made) => paths.add(made));
    });
  }

  want(pathId: string, desired: WantedPathState): void {
    this.#paths.want(pathId, desired);
  }

  sample(nowMs: number): SampleBatch {
    const sampled = this.#paths.managed.map((connection, index) => ({
      id: `m:${index + 1}-${this.clients[index]?.generation ?? 0}`,
      connection,
      pathOf: this.#paths.pathOf(connection),
    }));
    const batch = sampleConnections(nowMs, sampled);
    // Like the path control of the player.
    for (const { connectionId, subflowId, backup } of this.#unheard.observe(batch)) {
      const connection = sampled.find(({ id }) => id === connectionId)?.connection;
      connection?.client.setBackup(Number(subflowId) - 1, backup);
    }
    return batch;
  }
}
