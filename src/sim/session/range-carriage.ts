import type { ConnectionSample, SampleBatch, SubflowSample } from '../../core';
import { createChunkScheduler } from '../../chunks';
import type { WantedPathState } from '../../core';
import { Timer } from '../engine/timer';
import { RangeFetcher } from '../ranges/range-fetcher';
import type { RangeNetworkCounters } from '../ranges/range-fetcher-options';
import type { CarriageOptions, SessionCarriage } from './carriage';
import { REACTION_NS } from './path-manager';
import { RangeClient } from './range-client';
import type { SessionCarriageSpec } from './session-options';

const ADDRESS = { address: '10.0.0.1', port: 80 };

/** Byte ranges over plain TCP, three connections a network, for all media of a session. */
export class RangeCarriage implements SessionCarriage {
  readonly clients: readonly RangeClient[];
  readonly #fetcher: RangeFetcher;

  /** @throws ChunkConfigError on an unknown scheduler or setting */
  constructor(
    { scheduler, config, metered = [] }: Extract<SessionCarriageSpec, { kind: 'ranges' }>,
    options: CarriageOptions,
  ) {
    const { simulation, network, ids, createCongestion, onProgress } = options;
    this.#fetcher = new RangeFetcher(simulation, {
      networks: network.pathsOf(ids).map((one) => {
        const price = metered.find(({ path }) => path === one.id);
        if (price === undefined) return one;
        const { budgetBytes } = price;
        return { ...one, costly: true, ...(budgetBytes === undefined ? {} : { budgetBytes }) };
      }),
      scheduler: createChunkScheduler(scheduler, config),
      createCongestion,
      flow: options.flow,
      receiveBufferBytes: options.receiveBufferBytes,
      onProgress,
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

  /** A sample as the player's own process reports it: one connection, with a subflow for each network that has connected. */
  sample(nowMs: number): SampleBatch {
    const subflows = this.#fetcher.networks.flatMap(
      (network) => sampleNetwork(nowMs, network) ?? [],
    );
    if (subflows.length === 0) return { monotonicMs: nowMs, lostSamples: 0, connections: [] };
    const ranges: ConnectionSample = {
      connectionId: 'ranges',
      kind: 'ranges',
      local: ADDRESS,
      remote: ADDRESS,
      inOrderBytes: this.#fetcher.inOrderBytes,
      subflows,
    };
    return { monotonicMs: nowMs, lostSamples: 0, connections: [ranges] };
  }
}

function sampleNetwork(
  nowMs: number,
  { id, connections, receivedBytes, awaitedMs }: RangeNetworkCounters,
): SubflowSample | undefined {
  const live = connections.filter(({ client }) => client.endpoint.state === 'established');
  if (live.length === 0) return undefined;
  // The sender's own estimates. A receiver's estimate comes close to them while data flows.
  const rttsNs = live.map(({ server }) => server.endpoint.sender.roundTrip.srttNs);
  const rttNs = Math.min(...rttsNs.filter((ns) => ns > 0));
  const lastNs = Math.max(...live.map(({ client }) => client.endpoint.receiver.lastDataNs));
  return {
    subflowId: id,
    pathId: id,
    interfaceName: id,
    local: ADDRESS,
    remote: ADDRESS,
    state: 'active',
    bytesReceived: receivedBytes,
    ...(Number.isFinite(rttNs) ? { rcvRttUs: rttNs / 1e3 } : {}),
    lastDataRecvMs: nowMs - lastNs / 1e6,
    awaitedMs,
  };
}
