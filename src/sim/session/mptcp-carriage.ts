import type { SampleBatch } from '../../core';
import type { WantedPathState } from '../../core';
import type { CarriageOptions, SessionCarriage } from './carriage';
import { HttpClient } from './http-client';
import { PathManager } from './path-manager';
import { sampleConnections } from './sampler';

/** One persistent MPTCP connection a medium. */
export class MptcpCarriage implements SessionCarriage {
  readonly clients: readonly HttpClient[];
  readonly #paths: PathManager;

  constructor(options: CarriageOptions) {
    const { simulation, network, ids, flow, controls, createScheduler, createCongestion } = options;
    const { receiveBufferBytes, nextId, onPathEvent } = options;
    const paths = new PathManager(simulation, network, ids, controls, onPathEvent);
    this.#paths = paths;
    this.clients = Array.from({ length: options.media }, (_, index) => {
      const connection = {
        paths: network.pathsOf(ids),
        createScheduler,
        createCongestion,
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
    return sampleConnections(
      nowMs,
      this.#paths.managed.map((connection, index) => ({
        id: `m:${index + 1}-${this.clients[index]?.generation ?? 0}`,
        connection,
        pathOf: this.#paths.pathOf(connection),
      })),
    );
  }
}
