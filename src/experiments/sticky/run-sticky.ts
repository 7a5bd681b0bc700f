import {
  congestionControls,
  createFilm,
  LinkDirection,
  MptcpConnection,
  PathSwitches,
  ProgressiveVideo,
  schedulers,
  Simulation,
  type MptcpPath,
} from '../../sim';
import type { ExperimentJob } from '../types';
import { isPrinted, type StickyAblation } from './ablation-names';
import {
  controlOf,
  FILM,
  PLAYER,
  schedulerOf,
  type StickyControl,
  type StickyPath,
  type StickyScenario,
  type StickyScheduler,
} from './set-up';

/** One film watched over one scenario's paths. */
export interface StickyJob extends ExperimentJob {
  scenario: StickyScenario;
  control: StickyControl;
  scheduler: StickyScheduler;
  /** The property that is changed; absent in the paper's set-up. */
  ablation?: StickyAblation;
  /** Seed of the film and of the losses: equal for all cells of a trial. */
  seed: number;
  filmMs: number;
}

export interface StickyOutcome {
  /** Discarded frames, out of {@link frames}. */
  discards: number;
  frames: number;
  underflows: number;
  /** Total time of all underflows. */
  frozenMs: number;
  startDelayMs: number;
  /** Consecutive data packets on different subflows. */
  pathSwitches: number;
  packets: number;
  /** Acknowledged payload over the loading time of the film, by subflow. */
  throughputBps: number[];
  /** Share of the data packets that were retransmitted, by subflow. */
  retransmitShare: number[];
}

/** TR-STY's condition as the paper prints it. */
const PRINTED = 'tr-sty-printed';
/** Time limit: a player that has not reached the end by then never does. */
const MAX_STRETCH = 20;

/** @throws Error if the film does not reach its end */
export function runSticky(job: StickyJob): StickyOutcome {
  const simulation = new Simulation(job.seed);
  const switches = new PathSwitches();
  const connection = new MptcpConnection(simulation, {
    paths: job.scenario.paths.map((path, index) =>
      connectPath(simulation, path, { index, switches, queueBytes: job.scenario.queueBytes }),
    ),
    flow: 1,
    createScheduler: schedulers[isPrinted(job.ablation) ? PRINTED : schedulerOf[job.scheduler]],
    createCongestion: congestionControls[controlOf[job.control]],
    receiveBufferBytes: job.scenario.receiveBufferBytes,
  });
  const film = createFilm({ ...FILM, lengthMs: job.filmMs, seed: job.seed });
  let loadedNs: number | undefined;
  let isOver = false;
  const video = new ProgressiveVideo(simulation, connection, film, PLAYER, {
    onLoaded: () => {
      loadedNs = simulation.nowNs;
      if (isOver) simulation.stop();
    },
    // If the last picture is discarded for a missing part, the film ends before it is loaded.
    onEnd: () => {
      isOver = true;
      if (loadedNs !== undefined) simulation.stop();
    },
  });
  video.start();
  simulation.run(job.filmMs * 1e6 * MAX_STRETCH);
  const { frames, discards, underflows, startedAtMs, endedAtMs } = video.report();
  if (loadedNs === undefined || startedAtMs === undefined || endedAtMs === undefined) {
    throw new Error(
      `${job.key}: the film has not come to its end after ${MAX_STRETCH} times its length`,
    );
  }
  const loadedSeconds = loadedNs / 1e9;
  const { subflows } = connection.server;
  return {
    frames,
    discards,
    underflows: underflows.length,
    frozenMs: underflows.reduce((sum, { durationMs }) => sum + durationMs, 0),
    startDelayMs: startedAtMs,
    pathSwitches: switches.count,
    packets: switches.packets,
    throughputBps: subflows.map(({ endpoint }) => (endpoint.sender.bytesAcked * 8) / loadedSeconds),
    retransmitShare: subflows.map(({ endpoint: { sender, segmentBytes } }) => {
      const { retransmits, bytesSent } = sender;
      return retransmits / (retransmits + bytesSent / segmentBytes);
    }),
  };
}

/** A path is one emulated link per direction; access links of 1 Gbit/s do not matter beside it. */
function connectPath(
  simulation: Simulation,
  { rttMs, rateBps, lossRatio }: StickyPath,
  { index, switches, queueBytes }: { index: number; switches: PathSwitches; queueBytes: number },
): MptcpPath {
  const spec = {
    rateBps,
    delayMs: rttMs / 2,
    queueBytes,
    queue: { discipline: 'droptail' as const },
  };
  const name = `flow ${index + 1}`;
  return {
    there: [new LinkDirection(simulation, `${name} up`, spec)],
    back: [
      switches.tap(index),
      new LinkDirection(simulation, `${name} down`, { ...spec, lossRatio }),
    ],
  };
}
