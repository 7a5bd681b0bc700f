import { mean } from '../../src/core';
import { expandTopology, type DirectionSpec } from '../../src/scenario';
import {
  congestionControls,
  every,
  LinkDirection,
  MptcpConnection,
  schedulers,
  Simulation,
  type CongestionName,
} from '../../src/sim';
import { WINDOW_STEP_MS, windowsBetween, type WindowTrace } from './windows';

const SECOND = 1e9;

/** Two paths of their own. The rate of the first one halves while an endless download runs. */
export const HALVING = {
  rateBps: 8e6,
  delayMs: 20,
  /** One bandwidth-delay product and a half. */
  queueBytes: 60_000,
  /** The connection has left slow start. */
  warmUpSeconds: 10,
  /** Time of the halving, from the start of the links. */
  halvesAtSeconds: 25,
  endSeconds: 45,
} as const;

/** Means over a time. One value a path, from the path whose rate halves. */
export interface HalvingPhase {
  /** IP bytes to the client, bit/s. */
  pathBps: number[];
  /** The sender's congestion window, segments. */
  cwnd: number[];
}

export interface HalvingResult {
  control: string;
  before: HalvingPhase;
  after: HalvingPhase;
  windows: WindowTrace;
}

function directions(): { down: DirectionSpec; up: DirectionSpec }[] {
  const { rateBps, delayMs, queueBytes, halvesAtSeconds } = HALVING;
  const up: DirectionSpec = { rateBps, delayMs, queueBytes, queue: { discipline: 'droptail' } };
  const halved: DirectionSpec = {
    ...{ delayMs, queueBytes, queue: up.queue },
    trace: {
      file: 'halving',
      once: true,
      steps: [
        { durationMs: halvesAtSeconds * 1000, rateBps },
        { durationMs: 1000, rateBps: rateBps / 2 },
      ],
    },
  };
  return [
    { down: halved, up },
    { down: up, up },
  ];
}

export const halvingTopology = (control: string) =>
  expandTopology({
    kind: 'multihomed',
    paths: directions().map((path, index) => ({ id: `path${index + 1}`, ...path })),
    congestionControls: { server: control },
  });

/** Windows of the connection's sender from now on; filled while the simulation runs. */
export function sampleWindows(simulation: Simulation, connection: MptcpConnection): WindowTrace {
  const trace: WindowTrace = { stepMs: WINDOW_STEP_MS, paths: [[], []] };
  every(simulation, WINDOW_STEP_MS * 1e6, () => {
    for (const [path, samples] of trace.paths.entries()) {
      samples.push(connection.server.subflows[path]?.cwnd ?? null);
    }
  });
  return trace;
}

/** The same download in the simulator. */
export function simulateHalving(control: CongestionName, seed: number): HalvingResult {
  const { warmUpSeconds, halvesAtSeconds, endSeconds } = HALVING;
  const simulation = new Simulation(seed);
  const links = directions().map(({ down, up }, index) => ({
    down: new LinkDirection(simulation, `${index} down`, down),
    up: new LinkDirection(simulation, `${index} up`, up),
  }));
  const connection: MptcpConnection = new MptcpConnection(simulation, {
    paths: links.map(({ down, up }) => ({ there: [up], back: [down] })),
    flow: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls[control],
    onEstablished: () => connection.server.send(1e13),
  });
  const windows = sampleWindows(simulation, connection);
  connection.connect();
  const phase = (fromSeconds: number, toSeconds: number): HalvingPhase => {
    simulation.run(fromSeconds * SECOND);
    const before = links.map(({ down }) => down.stats().outBytes);
    simulation.run(toSeconds * SECOND);
    return {
      pathBps: links.map(
        ({ down }, path) =>
          ((down.stats().outBytes - (before[path] ?? 0)) * 8) / (toSeconds - fromSeconds),
      ),
      cwnd: windowsBetween(windows, fromSeconds, toSeconds).map((samples) => mean(samples) ?? 0),
    };
  };
  return {
    control,
    before: phase(warmUpSeconds, halvesAtSeconds),
    after: phase(halvesAtSeconds, endSeconds),
    windows,
  };
}
