import type { ConnectionSample, SampleBatch } from '../../core';
import { createChunkScheduler } from '../../chunks';
import type { WantedPathState } from '../../core';
import { Timer } from '../engine/timer';
import type { RangeConnection } from '../ranges/range-connection';
import { RangeFetcher } from '../ranges/range-fetcher';
import type { CarriageOptions, SessionCarriage } from './carriage';
import { RangeClient } from './range-client';
import type { SessionCarriageSpec } from './session-options';

/** Time from the loss of a carrier until the player learns of it (kernel event to fetcher, as with MPTCP). */
const REACTION_NS = 20e6;

/** Byte ranges over plain TCP, three connections a network, for all media of a session. */
export class RangeCarriage implements SessionCarriage {
  readonly clients: readonly RangeClient[];
  readonly #fetcher: RangeFetcher;

  /** @throws ChunkConfigError on an unknown scheduler or setting */
  constructor(
    { scheduler, config }: Extract<SessionCarriageSpec, { kind: 'ranges' }>,
    options: CarriageOptions,
  ) {
    const { simulation, network, ids, createCongestion, onWantsMore } = options;
    this.#fetcher = new RangeFetcher(simulation, {
      networks: network.pathsOf(ids),
      scheduler: createChunkScheduler(scheduler, config),
      createCongestion,
      flow: options.flow,
      receiveBufferBytes: options.receiveBufferBytes,
      onWantsMore,
    });
    const client = (): RangeClient => new RangeClient(simulation, this.#fetcher, options.nextId);
    this.clients = Array.from({ length: options.media }, client);
    network.onCarrier((link, isUp) => {
      for (const { id, via } of network.paths) {
        if (via[0] !== link || !ids.includes(id)) continue;
        options.onPathEvent({
          monotonicMs: simulation.nowNs / 1e6,
          kind: isUp ? 'interface-up' : 'interface-down',
          pathId: id,
          interfaceName: id,
        });
        new Timer(simulation, () => this.#fetcher.setUp(id, isUp)).setIn(REACTION_NS);
      }
    });
  }

  want(pathId: string, desired: WantedPathState): void {
    this.#fetcher.want(pathId, desired === 'active');
  }

  sample(nowMs: number): SampleBatch {
    const connections = this.#fetcher.networks.flatMap(({ id, connections: own }) =>
      own.map((connection) => sampleConnection(nowMs, id, connection)),
    );
    return { monotonicMs: nowMs, lostSamples: 0, connections };
  }
}

function sampleConnection(
  nowMs: number,
  pathId: string,
  connection: RangeConnection,
): ConnectionSample {
  const { client, server, id } = connection;
  const { receiver, state } = client.endpoint;
  // The sender's own estimate. A receiver's estimate comes close to it while data flows.
  const { srttNs } = server.endpoint.sender.roundTrip;
  const address = { address: '10.0.0.1', port: 80 };
  return {
    connectionId: `t:${String(id)}`,
    kind: 'tcp',
    local: address,
    remote: address,
    inOrderBytes: client.receivedBytes,
    subflows: [
      {
        subflowId: '1',
        pathId,
        interfaceName: pathId,
        local: address,
        remote: address,
        state: state === 'established' ? 'active' : state,
        bytesReceived: receiver.bytesArrived,
        ...(srttNs > 0 ? { rcvRttUs: srttNs / 1e3 } : {}),
        lastDataRecvMs: nowMs - receiver.lastDataNs / 1e6,
      },
    ],
  };
}
