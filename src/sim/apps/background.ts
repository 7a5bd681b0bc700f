import { type TrafficResult, type TrafficSpec, WEB_OBJECT_BYTES } from '../../scenario';
import { congestionControls, congestionNamed } from '../congestion/controls';
import type { Simulation } from '../engine/simulation';
import type { SimNetwork } from '../network/sim-network';
import { tcpStreams, type OpenStream } from './app-stream';
import { Bulk } from './bulk';
import { VoipCalls } from './voip';
import { WebClients } from './web';

/** Each player and each traffic program has flow numbers of its own. */
const FIRST_FLOW = 1e8;
/** Flow numbers reserved for each program: more connections than any scenario opens. */
const FLOWS_EACH = 1e7;
const PROGRAM = 'simulated';

type Measured = Omit<TrafficResult, 'id' | 'kind' | 'program' | 'outcome' | 'files'>;

/** Traffic that runs beside the players; `results` returns the figures so far. */
export interface Background {
  results(): TrafficResult[];
}

/**
 * Starts a scenario's traffic as the lab does with iperf3, SIPp and h2load. `ftp` sends from `from` over
 * `connections` connections; `voip` keeps up calls; in `web`, `from`
 * serves objects at a rate. TCP uses the congestion control of the node that sends.
 * @throws RangeError if a node or its congestion control is unknown
 */
export function startBackground(
  simulation: Simulation,
  network: SimNetwork,
  traffic: readonly TrafficSpec[],
  controlOf: (node: string) => string,
): Background {
  const running = traffic.map((spec, index) => {
    const at = { simulation, network, spec, flow: FIRST_FLOW + index * FLOWS_EACH };
    return { spec, measure: start(at, controlOf(spec.from)) };
  });
  return {
    results: () =>
      running.map(({ spec: { id, kind }, measure }) => ({
        id,
        kind,
        program: PROGRAM,
        outcome: 'ok',
        ...measure(),
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

function start(site: Site, control: string): () => Measured {
  switch (site.spec.kind) {
    case 'ftp':
      return startFtp(site, streamsOf(site, control));
    case 'voip':
      return startVoip(site);
    case 'web':
      return startWeb(site, streamsOf(site, control));
  }
}

/** The node that runs the client. */
function streamsOf({ simulation, network, spec }: Site, control: string): OpenStream {
  const create = congestionNamed(control);
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

function startFtp({ simulation, spec, flow }: Site, open: OpenStream): () => Measured {
  const transfers = Array.from({ length: spec.intensity }, (_, index) => {
    const rate = spec.rateBps === undefined ? {} : { rateBps: spec.rateBps };
    return new Bulk(simulation, { open, flow: flow + index, ...rate, ...timesOf(spec) });
  });
  return () => {
    const rates = transfers.flatMap(({ goodputBps }) => goodputBps ?? []);
    return rates.length === 0 ? {} : { goodputBps: rates.reduce((sum, one) => sum + one, 0) };
  };
}

function startVoip({ simulation, network, spec, flow }: Site): () => Measured {
  const { calls } = spec;
  if (calls === undefined) throw new RangeError(`${spec.id} has no calls`);
  const running = new VoipCalls(simulation, {
    there: network.route(spec.from, spec.to),
    back: network.route(spec.to, spec.from),
    flow,
    callsPerSecond: calls.perSecond,
    holdMs: calls.holdMs,
    isOneFlow: calls.ports === 'one',
    maxCalls: spec.intensity,
    random: simulation.random(`${spec.id} calls`),
    ...timesOf(spec),
  });
  return () => {
    const { lossRatio, jitterMs } = running.result().there;
    return lossRatio === null || jitterMs === null ? {} : { rtp: { lossRatio, jitterMs } };
  };
}

function startWeb({ simulation, spec, flow }: Site, open: OpenStream): () => Measured {
  const clients = new WebClients(simulation, {
    open,
    flow,
    perSecond: spec.intensity,
    objectBytes: spec.objectBytes ?? WEB_OBJECT_BYTES,
    random: simulation.random(`${spec.id} requests`),
    ...timesOf(spec),
  });
  return () => {
    const { completed, failed, replyMeanMs } = clients.result();
    return replyMeanMs === null ? {} : { requests: { completed, failed, meanMs: replyMeanMs } };
  };
}
