import type { TrafficResult, TrafficSpec } from '../../scenario';
import { congestionControls } from '../congestion/controls';
import type { Simulation } from '../engine/simulation';
import type { SimNetwork } from '../network/sim-network';
import { tcpStreams, type OpenStream } from './app-stream';
import { Bulk } from './bulk';
import { VoipCalls } from './voip';
import { WebClients } from './web';

/** Apart from the players', and each of the traffic's from the next one's. */
const FIRST_FLOW = 1e8;
const FLOWS_EACH = 1e7;
/** As the lab's calls. */
const CALL_MS = 10_000;
/** As the lab's pages. */
const DEFAULT_OBJECT_BYTES = 100_000;
const PROGRAM = 'simulated';

type Told = Omit<TrafficResult, 'id' | 'kind' | 'program' | 'outcome' | 'files'>;

/** Traffic that runs beside the players; `results` tells how it has fared so far. */
export interface Background {
  results(): TrafficResult[];
}

/**
 * Starts a scenario's traffic, as the lab does it with iperf3, SIPp and h2load: `ftp` sends from `from` over so many
 * connections; `voip` keeps so many calls of ten seconds, each a flow of its own; `web` has so many objects a second
 * sent by `from`. TCP is under the congestion control of the node that sends.
 * @throws RangeError where a node or its congestion control is unknown
 */
export function startBackground(
  simulation: Simulation,
  network: SimNetwork,
  traffic: readonly TrafficSpec[],
  controlOf: (node: string) => string,
): Background {
  const running = traffic.map((spec, index) => {
    const at = { simulation, network, spec, flow: FIRST_FLOW + index * FLOWS_EACH };
    return { spec, tell: start(at, controlOf(spec.from)) };
  });
  return {
    results: () =>
      running.map(({ spec: { id, kind }, tell }) => ({
        id,
        kind,
        program: PROGRAM,
        outcome: 'ok',
        ...tell(),
        files: [],
      })),
  };
}

interface Site {
  simulation: Simulation;
  network: SimNetwork;
  spec: TrafficSpec;
  flow: number;
}

function start(site: Site, control: string): () => Told {
  switch (site.spec.kind) {
    case 'ftp':
      return startFtp(site, streamsOf(site, control));
    case 'voip':
      return startVoip(site);
    case 'web':
      return startWeb(site, streamsOf(site, control));
  }
}

/** Whose client is at `to`. */
function streamsOf({ simulation, network, spec }: Site, control: string): OpenStream {
  const create = Object.entries(congestionControls).find(([name]) => name === control)?.[1];
  if (create === undefined) {
    throw new RangeError(
      `${spec.from} has a congestion control that is not simulated: ${control}; there are ${Object.keys(congestionControls).join(', ')}`,
    );
  }
  return tcpStreams(simulation, {
    there: network.route(spec.to, spec.from),
    back: network.route(spec.from, spec.to),
    createCongestion: () => create([]),
  });
}

function timesOf({ startMs, durationMs }: TrafficSpec): { startNs: number; stopNs?: number } {
  const startNs = Math.round(startMs * 1e6);
  return durationMs === undefined
    ? { startNs }
    : { startNs, stopNs: Math.round((startMs + durationMs) * 1e6) };
}

function startFtp({ simulation, spec, flow }: Site, open: OpenStream): () => Told {
  const transfers = Array.from({ length: spec.intensity }, (_, index) => {
    const rate = spec.rateBps === undefined ? {} : { rateBps: spec.rateBps };
    return new Bulk(simulation, { open, flow: flow + index, ...rate, ...timesOf(spec) });
  });
  return () => {
    const rates = transfers.flatMap(({ goodputBps }) => goodputBps ?? []);
    return rates.length === 0 ? {} : { goodputBps: rates.reduce((sum, one) => sum + one, 0) };
  };
}

function startVoip({ simulation, network, spec, flow }: Site): () => Told {
  const calls = new VoipCalls(simulation, {
    there: network.route(spec.from, spec.to),
    back: network.route(spec.to, spec.from),
    flow,
    callsPerSecond: Math.max(Math.ceil(spec.intensity / 2), 1),
    holdMs: CALL_MS,
    maxCalls: spec.intensity,
    random: simulation.random(`${spec.id} calls`),
    ...timesOf(spec),
  });
  return () => {
    const { lossRatio, jitterMs } = calls.result().there;
    return lossRatio === null || jitterMs === null ? {} : { rtp: { lossRatio, jitterMs } };
  };
}

function startWeb({ simulation, spec, flow }: Site, open: OpenStream): () => Told {
  const clients = new WebClients(simulation, {
    open,
    flow,
    perSecond: spec.intensity,
    objectBytes: spec.objectBytes ?? DEFAULT_OBJECT_BYTES,
    random: simulation.random(`${spec.id} requests`),
    ...timesOf(spec),
  });
  return () => {
    const { completed, failed, replyMeanMs } = clients.result();
    return replyMeanMs === null ? {} : { requests: { completed, failed, meanMs: replyMeanMs } };
  };
}
