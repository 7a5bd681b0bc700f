/**
 * A small MPTCP sender, packet by packet, with what makes unlike paths hurt: bursts handed to a path ahead of its
 * window, data that waits in order for the slow path's queue and retransmissions, windows that start anew after idling.
 * Deterministic: the same seed gives the same run. Good enough to tell decisions apart, not to predict a kernel.
 */
import { createRandom, type Random, type SubflowState } from '../../core';

export interface TestPath {
  id: string;
  /** Capacity over time, repeated; one step is a constant rate. */
  steps: readonly { durationMs: number; rateBps: number }[];
  /** One way. */
  delayMs: number;
  lossRatio?: number;
  queueBytes?: number;
  /** Name of a link behind the access link that several paths share. */
  shared?: { name: string; rateBps: number };
  /** Interface down, from and to. */
  down?: readonly (readonly [number, number])[];
  /** Packets vanish, from and to. */
  blackhole?: readonly (readonly [number, number])[];
  metered?: boolean;
}

const PACKET = 1448;
const BURST = 45;
const IW = 10;
const LOOK_MS = 5;

interface Packet {
  dataSeq: number;
}

export class TestSubflow {
  state: SubflowState = 'active';
  /** As the sender knows it; MP_PRIO takes its time. */
  backup = false;
  cwnd = IW;
  ssthresh = 1e9;
  srttMs: number;
  readonly queue: Packet[] = [];
  inFlight = new Map<number, number>();
  received = 0;
  rcvRttMs: number;
  busyUntilMs = 0;
  lastAckMs = 0;
  recoverUntilMs = 0;
  stale = false;
  generation = 0;

  constructor(readonly path: TestPath) {
    this.srttMs = 2 * path.delayMs;
    this.rcvRttMs = this.srttMs;
  }

  get committed(): number {
    return this.queue.length + this.inFlight.size;
  }
}

interface Timed {
  atMs: number;
  order: number;
  run: () => void;
}

export class TestNetwork {
  nowMs = 0;
  readonly subflows: TestSubflow[];
  /** Next data packet in order at the receiver. */
  inOrder = 0;
  readonly #random: Random;
  readonly #heap: Timed[] = [];
  #order = 0;
  #written = 0;
  #next = 0;
  readonly #again: number[] = [];
  readonly #arrived = new Set<number>();
  readonly #links = new Map<string, number>();
  #burst: { subflow: TestSubflow; left: number } | undefined;

  constructor(paths: readonly TestPath[], seed: number) {
    this.#random = createRandom(seed);
    this.subflows = paths.map((path) => new TestSubflow(path));
  }

  /** The server has `bytes` more to send. Returns the packet after the last. */
  write(bytes: number): number {
    this.#written += Math.ceil(bytes / PACKET);
    return this.#written;
  }

  /** What was not handed to a path yet is not sent. */
  cancel(): void {
    this.#written = this.#next;
  }

  setState(id: string, state: 'active' | 'backup'): void {
    const subflow = this.subflows.find(({ path }) => path.id === id);
    if (!subflow || subflow.state === 'closed' || subflow.state === state) return;
    subflow.state = state;
    this.at(this.nowMs + subflow.path.delayMs, () => (subflow.backup = subflow.state === 'backup'));
  }

  at(atMs: number, run: () => void): void {
    const entry = { atMs, order: this.#order++, run };
    const heap = this.#heap;
    let i = heap.push(entry) - 1;
    while (i > 0) {
      const up = (i - 1) >> 1;
      const parent = heap[up];
      if (!parent || before(parent, entry)) break;
      heap[i] = parent;
      i = up;
    }
    heap[i] = entry;
  }

  /** Goes on to `untilMs`. */
  advance(untilMs: number): void {
    while (this.nowMs < untilMs) {
      const stepMs = Math.min(untilMs, this.nowMs + LOOK_MS);
      for (let top = this.#heap[0]; top && top.atMs <= stepMs; top = this.#heap[0]) {
        this.#pop();
        this.nowMs = Math.max(this.nowMs, top.atMs);
        top.run();
      }
      this.nowMs = stepMs;
      for (const subflow of this.subflows) this.#look(subflow);
      this.#push();
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      const right = heap[child + 1];
      const left = heap[child];
      if (!left) break;
      if (right && before(right, left)) child += 1;
      const least = heap[child];
      if (!least || before(last, least)) break;
      heap[i] = least;
      i = child;
    }
    heap[i] = last;
  }

  /** Link state, and a sender that waits for acknowledgements in vain. */
  #look(subflow: TestSubflow): void {
    const down = within(subflow.path.down, this.nowMs);
    if (down && subflow.state !== 'closed') {
      subflow.state = 'closed';
      this.#reinject(subflow);
    } else if (!down && subflow.state === 'closed' && subflow.path.down) {
      Object.assign(subflow, { state: 'active', backup: false, cwnd: IW, ssthresh: 1e9 });
      Object.assign(subflow, { stale: false, busyUntilMs: this.nowMs, received: subflow.received });
    }
    const rtoMs = Math.max(300, 2 * subflow.srttMs);
    if (subflow.inFlight.size > 0 && this.nowMs - subflow.lastAckMs > rtoMs) {
      subflow.cwnd = IW;
      this.#reinject(subflow);
      subflow.stale = true;
      this.at(this.nowMs + rtoMs, () => (subflow.stale = false));
    }
  }

  #reinject(subflow: TestSubflow): void {
    const seqs = [...subflow.inFlight.keys(), ...subflow.queue.map(({ dataSeq }) => dataSeq)];
    subflow.inFlight.clear();
    subflow.queue.length = 0;
    subflow.generation += 1;
    this.#again.push(...seqs.filter((seq) => !this.#arrived.has(seq) && seq >= this.inOrder));
    this.#again.sort((a, b) => a - b);
  }

  /** Hands data to paths: the least lingering one gets a burst, a little beyond its window. */
  #push(): void {
    for (;;) {
      if (this.#again.length === 0 && this.#next >= this.#written) break;
      const alive = this.subflows.filter(({ state, stale }) => state !== 'closed' && !stale);
      const active = alive.filter(({ backup }) => !backup);
      const open = (active.length > 0 ? active : alive).filter(
        (subflow) => subflow.committed < 1.25 * subflow.cwnd,
      );
      let pick =
        this.#burst && open.includes(this.#burst.subflow) ? this.#burst.subflow : undefined;
      if (!pick || (this.#burst?.left ?? 0) <= 0) {
        const linger = (one: TestSubflow): number => (one.committed * one.srttMs) / one.cwnd;
        pick = [...open].sort((a, b) => linger(a) - linger(b))[0];
        if (!pick) break;
        this.#burst = { subflow: pick, left: BURST };
      }
      if (this.#burst) this.#burst.left -= 1;
      const dataSeq = this.#again.shift() ?? this.#next++;
      pick.queue.push({ dataSeq });
    }
    for (const subflow of this.subflows) this.#send(subflow);
  }

  #send(subflow: TestSubflow): void {
    const idleMs = this.nowMs - subflow.lastAckMs;
    if (subflow.inFlight.size === 0 && subflow.queue.length > 0) {
      if (idleMs > Math.max(300, 2 * subflow.srttMs) && subflow.cwnd > IW) {
        subflow.ssthresh = Math.max(IW, 0.75 * subflow.cwnd);
        subflow.cwnd = IW;
      }
      subflow.lastAckMs = this.nowMs;
    }
    while (subflow.state !== 'closed' && subflow.inFlight.size < subflow.cwnd) {
      const packet = subflow.queue.shift();
      if (!packet) return;
      this.#transmit(subflow, packet);
    }
  }

  #transmit(subflow: TestSubflow, packet: Packet): void {
    const { path } = subflow;
    const { generation } = subflow;
    const sentMs = this.nowMs;
    subflow.inFlight.set(packet.dataSeq, sentMs);
    const rateBps = rateAt(path.steps, Math.max(sentMs, subflow.busyUntilMs));
    const waitingBytes = (Math.max(0, subflow.busyUntilMs - sentMs) * rateBps) / 8000;
    const lost =
      waitingBytes > (path.queueBytes ?? 60_000) ||
      this.#random() < (path.lossRatio ?? 0) ||
      within(path.blackhole, sentMs);
    const moreBehind = subflow.inFlight.size + subflow.queue.length > 4;
    if (lost) {
      if (within(path.blackhole, sentMs)) return;
      const rttMs = subflow.srttMs;
      const detectMs = moreBehind ? 1.1 * rttMs : Math.max(250, 2 * rttMs);
      this.at(sentMs + detectMs, () => this.#lost(subflow, packet, generation));
      return;
    }
    const startMs = Math.max(sentMs, subflow.busyUntilMs);
    let doneMs = startMs + transmitMs(path.steps, startMs);
    subflow.busyUntilMs = doneMs;
    if (path.shared) {
      const freeMs = Math.max(doneMs, this.#links.get(path.shared.name) ?? 0);
      if (((freeMs - doneMs) * path.shared.rateBps) / 8000 > 60_000) {
        this.at(freeMs + path.delayMs, () => this.#lost(subflow, packet, generation));
        return;
      }
      doneMs = freeMs + ((PACKET + 52) * 8000) / path.shared.rateBps;
      this.#links.set(path.shared.name, doneMs);
    }
    this.at(doneMs + path.delayMs, () => this.#arrive(subflow, packet, sentMs, generation));
  }

  #lost(subflow: TestSubflow, packet: Packet, generation: number): void {
    if (generation !== subflow.generation) return;
    subflow.inFlight.delete(packet.dataSeq);
    subflow.queue.unshift(packet);
    if (this.nowMs >= subflow.recoverUntilMs) {
      subflow.ssthresh = Math.max(2, 0.7 * subflow.cwnd);
      subflow.cwnd = subflow.ssthresh;
      subflow.recoverUntilMs = this.nowMs + subflow.srttMs;
    }
    this.#send(subflow);
  }

  #arrive(subflow: TestSubflow, packet: Packet, sentMs: number, generation: number): void {
    if (within(subflow.path.blackhole, this.nowMs) || subflow.state === 'closed') return;
    const backMs = subflow.path.delayMs;
    subflow.received += PACKET;
    subflow.rcvRttMs += (this.nowMs - sentMs + backMs - subflow.rcvRttMs) / 32;
    if (packet.dataSeq >= this.inOrder) this.#arrived.add(packet.dataSeq);
    while (this.#arrived.delete(this.inOrder)) this.inOrder += 1;
    this.at(this.nowMs + backMs, () => {
      subflow.lastAckMs = this.nowMs;
      subflow.srttMs += (this.nowMs - sentMs - subflow.srttMs) / 8;
      if (generation !== subflow.generation) return;
      subflow.inFlight.delete(packet.dataSeq);
      const busy = subflow.queue.length > 0;
      if (subflow.cwnd < subflow.ssthresh) subflow.cwnd += 1;
      else if (busy) subflow.cwnd += 1.5 / subflow.cwnd;
      this.#push();
    });
  }
}

function before(a: Timed, b: Timed): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function within(spans: readonly (readonly [number, number])[] | undefined, ms: number): boolean {
  return spans?.some(([from, to]) => ms >= from && ms < to) ?? false;
}

/** Rate at a time; the steps repeat. */
export function rateAt(steps: TestPath['steps'], ms: number): number {
  if (steps.length === 1) return steps[0]?.rateBps ?? 0;
  const periodMs = steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
  let leftMs = ms % periodMs;
  for (const step of steps) {
    if (leftMs < step.durationMs) return step.rateBps;
    leftMs -= step.durationMs;
  }
  return 0;
}

/** Time for one packet that starts at `startMs`, outages included. */
function transmitMs(steps: TestPath['steps'], startMs: number): number {
  let ms = startMs;
  let rateBps = rateAt(steps, ms);
  while (rateBps < 1000 && ms - startMs < 60_000) {
    ms += 20;
    rateBps = rateAt(steps, ms);
  }
  return ms - startMs + ((PACKET + 52) * 8000) / Math.max(1000, rateBps);
}

/** A path of one rate. */
export function constant(
  id: string,
  rateBps: number,
  delayMs: number,
  more: Partial<TestPath> = {},
): TestPath {
  return { id, steps: [{ durationMs: 1000, rateBps }], delayMs, ...more };
}
