import type { Scheduler, ConnectionState, SenderSubflow } from '../schedulers/scheduler';
import type { AckSample, CongestionControl, SubflowView } from './congestion-control';
import type { CreateCongestion } from './controls';

/**
 * The limits that the coupled control sets to the paths' own controls. `total`: the sum of the coupled windows bounds the
 * connection's data in flight. `shared-total`: each subflow has a part of that sum, in proportion to its path's own window
 * (native/congestion/src/pair.bpf.c). `per-path`: each coupled window bounds its own subflow.
 */
export type MasterScope = 'total' | 'shared-total' | 'per-path';

/** Segments that a shared sum leaves to every subflow at least, as in the BPF controls. */
const MIN_WINDOW = 2;

/** The coupled controls of one end. */
interface Team {
  coupled: CongestionControl[];
  /** The paths' own controls. */
  paths: CongestionControl[];
  /** The coupled controls see one another's own windows. */
  views: SubflowView[];
  /** Last time the total window limited the sender. */
  heldAtNs: number;
}

/** Sum of the windows of established subflows, segments. */
function windowOf(controls: readonly CongestionControl[], { views }: Team): number {
  return controls.reduce(
    (sum, { cwnd }, index) => sum + (views[index]?.isEstablished === true ? cwnd : 0),
    0,
  );
}

/**
 * A multipath congestion control above the paths' own ones, after the architecture of Łuczak, Ignaciuk and
 * Morawski (Future Internet 2023, Fig. 1). A master controller shapes the whole transfer, and a scheduler
 * distributes it. A single-path control governs each subflow. Both controls receive every acknowledgement and
 * loss. A window grows only while it limits the sender.
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

  /**
   * The control of a subflow.
   * @param group all subflows of its end
   */
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
    team.paths.push(path);
    return new Tandem(path, coupled, this.#limitsOf(path, coupled, team));
  };

  #limitsOf(path: CongestionControl, coupled: CongestionControl, team: Team): Limits {
    if (this.#scope === 'total') return wholeWindow(path, team);
    return lesserWindow(
      path,
      this.#scope === 'per-path' ? () => coupled.cwnd : () => partOf(team, path),
    );
  }

  /**
   * Stops assigning while the total window is full.
   * @param inner chooses otherwise
   */
  schedule(inner: Scheduler, group: readonly SubflowView[]): Scheduler {
    if (this.#scope !== 'total') return inner;
    const team = this.#teamOf(group);
    return {
      name: inner.name,
      pick: (subflows: readonly SenderSubflow[], connection: ConnectionState) => {
        const inNetwork = subflows.reduce(
          (sum, { inFlight, queuedBytes, segmentBytes }) =>
            sum + inFlight + Math.ceil(queuedBytes / segmentBytes),
          0,
        );
        if (inNetwork < Math.floor(windowOf(team.coupled, team)))
          return inner.pick(subflows, connection);
        team.heldAtNs = connection.nowNs;
        return undefined;
      },
    };
  }

  #teamOf(group: readonly SubflowView[]): Team {
    const known = this.#teams.get(group) ?? {
      coupled: [],
      paths: [],
      views: [],
      heldAtNs: -Infinity,
    };
    this.#teams.set(group, known);
    return known;
  }
}

/** Selects the effective window and records which of the two limited the sender. */
interface Limits {
  cwnd: () => number;
  isPathLimited: (sample: AckSample) => boolean;
  isCoupledLimited: (sample: AckSample) => boolean;
}

function wholeWindow(path: CongestionControl, team: Team): Limits {
  return {
    cwnd: () => path.cwnd,
    isPathLimited: ({ windowLimited }) => windowLimited,
    // The window limited the sender during the last round trip, which the current acknowledgements describe.
    isCoupledLimited: ({ nowNs, srttNs }) => nowNs - team.heldAtNs <= srttNs,
  };
}

/** Segments of the coupled sum that the subflow of a path has; its path's own window where the sum holds nobody back. */
function partOf(team: Team, path: CongestionControl): number {
  const total = windowOf(team.coupled, team);
  const pathTotal = windowOf(team.paths, team);
  if (total >= pathTotal) return path.cwnd;
  return Math.max(MIN_WINDOW, Math.floor((total * path.cwnd) / pathTotal));
}

/** @param room segments that the coupled windows leave to the subflow */
function lesserWindow(path: CongestionControl, room: () => number): Limits {
  return {
    cwnd: () => Math.min(path.cwnd, room()),
    isPathLimited: ({ windowLimited }) => windowLimited && path.cwnd <= room(),
    isCoupledLimited: ({ windowLimited }) => windowLimited && room() <= path.cwnd,
  };
}

/** A path's own control and its coupled one; both receive the same events. */
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
      // Like an application limit, a limit by the other control makes the rate sample useless.
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

  collapse(): void {
    this.#path.collapse();
    this.#coupled.collapse();
  }

  onIdle(nowNs: number, timeouts: number): void {
    this.#path.onIdle(nowNs, timeouts);
    this.#coupled.onIdle(nowNs, timeouts);
  }
}
