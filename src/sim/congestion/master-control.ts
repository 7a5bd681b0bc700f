import type { Scheduler, ConnectionState, SubflowState } from '../schedulers/scheduler';
import type { AckSample, CongestionControl, SubflowView } from './congestion-control';
import type { CreateCongestion } from './controls';

/**
 * How the coupled control holds the paths' own ones back.
 * `total`: the windows it would give its subflows bound, all together, what the connection has in the network.
 * `per-path`: each of them bounds its own subflow.
 */
export type MasterScope = 'total' | 'per-path';

/** The coupled controls of one end. */
interface Team {
  coupled: CongestionControl[];
  /** What they see of one another: their own windows. */
  views: SubflowView[];
  /** When the whole window last held the sender back. */
  heldAtNs: number;
}

/** Segments that all established subflows together may have in the network. */
function windowOf({ coupled, views }: Team): number {
  return coupled.reduce(
    (sum, { cwnd }, index) => sum + (views[index]?.isEstablished === true ? cwnd : 0),
    0,
  );
}

/**
 * A multipath congestion control above the paths' own ones, as the architecture of Łuczak, Ignaciuk and Morawski has it
 * (Future Internet 2023, Fig. 1): a master controller shapes the whole transfer, a scheduler distributes it, and a
 * single-path control governs each subflow by itself. Both hear of every acknowledgement and loss; a window grows only
 * while it is the one that holds the sender back.
 */
export class MasterControl {
  readonly #createCoupled: CreateCongestion;
  readonly #createPath: CreateCongestion;
  readonly #scope: MasterScope;
  readonly #teams = new WeakMap<readonly SubflowView[], Team>();

  constructor(coupled: CreateCongestion, path: CreateCongestion, scope: MasterScope) {
    this.#createCoupled = coupled;
    this.#createPath = path;
    this.#scope = scope;
  }

  /** The control of a subflow. @param group all subflows of its end */
  readonly createCongestion: CreateCongestion = (group) => {
    const team = this.#teamOf(group);
    const index = group.length;
    const coupled = this.#createCoupled(team.views);
    team.coupled.push(coupled);
    team.views.push({
      get cwnd() {
        return coupled.cwnd;
      },
      get srttNs() {
        return group[index]?.srttNs ?? 0;
      },
      get isEstablished() {
        return group[index]?.isEstablished ?? false;
      },
    });
    const path = this.#createPath(group);
    return this.#scope === 'per-path'
      ? new Tandem(path, coupled, lesserWindow(path, coupled))
      : new Tandem(path, coupled, wholeWindow(path, team));
  };

  /** Stops assigning while the whole window is full. @param inner chooses while it is not */
  schedule(inner: Scheduler, group: readonly SubflowView[]): Scheduler {
    if (this.#scope === 'per-path') return inner;
    const team = this.#teamOf(group);
    return {
      name: inner.name,
      pick: (subflows: readonly SubflowState[], connection: ConnectionState) => {
        const inNetwork = subflows.reduce(
          (sum, { inFlight, queuedBytes, segmentBytes }) =>
            sum + inFlight + Math.ceil(queuedBytes / segmentBytes),
          0,
        );
        if (inNetwork < Math.floor(windowOf(team))) return inner.pick(subflows, connection);
        team.heldAtNs = connection.nowNs;
        return undefined;
      },
    };
  }

  #teamOf(group: readonly SubflowView[]): Team {
    const known = this.#teams.get(group) ?? { coupled: [], views: [], heldAtNs: -Infinity };
    this.#teams.set(group, known);
    return known;
  }
}

/** Whose window counts, and which of the two held the sender back. */
interface Limits {
  cwnd: () => number;
  isPathLimited: (sample: AckSample) => boolean;
  isCoupledLimited: (sample: AckSample) => boolean;
}

function wholeWindow(path: CongestionControl, team: Team): Limits {
  return {
    cwnd: () => path.cwnd,
    isPathLimited: ({ windowLimited }) => windowLimited,
    // Held back some time in the last round trip: that is what the acknowledgements of now speak of.
    isCoupledLimited: ({ nowNs, srttNs }) => nowNs - team.heldAtNs <= srttNs,
  };
}

function lesserWindow(path: CongestionControl, coupled: CongestionControl): Limits {
  return {
    cwnd: () => Math.min(path.cwnd, coupled.cwnd),
    isPathLimited: ({ windowLimited }) => windowLimited && path.cwnd <= coupled.cwnd,
    isCoupledLimited: ({ windowLimited }) => windowLimited && coupled.cwnd <= path.cwnd,
  };
}

/** A path's own control and its coupled one, told the same. */
class Tandem implements CongestionControl {
  readonly name: string;
  readonly ownsRecovery: boolean;
  readonly #path: CongestionControl;
  readonly #coupled: CongestionControl;
  readonly #limits: Limits;

  constructor(path: CongestionControl, coupled: CongestionControl, limits: Limits) {
    this.#path = path;
    this.#coupled = coupled;
    this.#limits = limits;
    this.name = `${coupled.name} with ${path.name}`;
    this.ownsRecovery = path.ownsRecovery ?? false;
  }

  get cwnd(): number {
    return this.#limits.cwnd();
  }

  get ssthresh(): number {
    return Math.min(this.#path.ssthresh, this.#coupled.ssthresh);
  }

  get pacingBps(): number | undefined {
    return this.#path.pacingBps;
  }

  onAck(sample: AckSample): void {
    const isPathLimited = this.#limits.isPathLimited(sample);
    const isCoupledLimited = this.#limits.isCoupledLimited(sample);
    this.#path.onAck({
      ...sample,
      windowLimited: isPathLimited,
      // A rate that the other control held down says little of the path, as one that the application did.
      appLimited: sample.appLimited || (isCoupledLimited && !isPathLimited),
    });
    this.#coupled.onAck({ ...sample, windowLimited: isCoupledLimited });
  }

  onCongestion(nowNs: number, inFlight: number): void {
    this.#path.onCongestion(nowNs, inFlight);
    this.#coupled.onCongestion(nowNs, inFlight);
  }

  onRecovered(nowNs: number): void {
    this.#path.onRecovered(nowNs);
    this.#coupled.onRecovered(nowNs);
  }

  onTimeout(nowNs: number, inFlight: number): void {
    this.#path.onTimeout(nowNs, inFlight);
    this.#coupled.onTimeout(nowNs, inFlight);
  }

  onIdle(nowNs: number, timeouts: number): void {
    this.#path.onIdle(nowNs, timeouts);
    this.#coupled.onIdle(nowNs, timeouts);
  }
}
