import type { DirectionSpec, TraceStep } from '../../scenario';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { Packet, Receiver } from '../packet';
import { createQueue } from '../queues/create-queue';
import type { PacketQueue } from '../queues/packet-queue';
import { checkDirection } from './check-spec';
import { DelayLine } from './delay-line';
import { Jitter } from './jitter';
import { LossModel } from './loss-model';
import { Outages } from './outages';
import { NEVER_NS, RateServer } from './rate-server';
import { TraceCursor } from './trace-cursor';

const MS = 1e6;

/** Counters from the start. */
export interface LinkDirectionStats {
  inPackets: number;
  inBytes: number;
  outPackets: number;
  outBytes: number;
  /** Dropped by the queue discipline. */
  queueDrops: number;
  /** Lost on the wire. */
  lossDrops: number;
  /** Lost while the link was down or in an outage. */
  stateDrops: number;
  marks: number;
}

/** Called with the queueing delay of each packet that leaves the queue. */
export type WaitListener = (waitNs: number, nowNs: number) => void;

/**
 * One direction of a link, like the link emulator's: queue, rate server, loss, delay line. A lost packet has
 * used link time.
 */
export class LinkDirection implements Receiver {
  readonly name: string;
  onWait: WaitListener | undefined;
  readonly #simulation: Simulation;
  readonly #queue: PacketQueue;
  readonly #server: RateServer;
  readonly #loss: LossModel;
  readonly #jitter: Jitter;
  readonly #line = new DelayLine();
  readonly #service: Timer;
  readonly #delivery: Timer;
  readonly #traceTimer: Timer;
  readonly #outageTimer: Timer;
  #delayNs: number;
  #trace: TraceCursor | undefined;
  #outages: Outages | undefined;
  #inService: Packet | undefined;
  #isOut = false;
  #isUp = true;
  #stats = { inPackets: 0, inBytes: 0, outPackets: 0, outBytes: 0, lossDrops: 0, stateDrops: 0 };

  /** @throws RangeError for an invalid value */
  constructor(simulation: Simulation, name: string, spec: DirectionSpec) {
    checkDirection(name, spec);
    this.name = name;
    this.#simulation = simulation;
    this.#queue = createQueue(spec.queue, spec.queueBytes, simulation.random(`${name} queue`));
    this.#server = new RateServer(spec.rateBps ?? Infinity);
    this.#loss = new LossModel(simulation.random(`${name} loss`), spec);
    this.#jitter = new Jitter(simulation.random(`${name} jitter`), spec.jitter);
    this.#delayNs = Math.round(spec.delayMs * MS);
    this.#service = new Timer(simulation, () => this.#depart());
    this.#delivery = new Timer(simulation, () => this.#deliver());
    this.#traceTimer = new Timer(simulation, () => this.#followTrace());
    this.#outageTimer = new Timer(simulation, () => this.#followOutages());
    this.#begin(spec);
  }

  get queue(): Pick<PacketQueue, 'name' | 'sizePackets' | 'sizeBytes' | 'dropProbability'> {
    return this.#queue;
  }

  /** See {@link PacketQueue.flowDelayNs}. */
  get flowDelayNs(): number | undefined {
    return this.#queue.flowDelayNs?.();
  }

  get rateBps(): number {
    return this.#server.rateBps;
  }

  /** One way, without queueing. */
  get delayNs(): number {
    return this.#delayNs;
  }

  get isUp(): boolean {
    return this.#isUp && !this.#isOut;
  }

  stats(): LinkDirectionStats {
    return { ...this.#stats, queueDrops: this.#queue.drops, marks: this.#queue.marks };
  }

  receive(packet: Packet): void {
    this.#stats.inPackets += 1;
    this.#stats.inBytes += packet.sizeBytes;
    if (!this.#isUp || this.#isOut) {
      this.#stats.stateDrops += 1;
      return;
    }
    this.#queue.enqueue(packet, this.#simulation.nowNs);
    if (this.#inService === undefined) this.#startNext();
  }

  /** Applies the fields of `change` now; a new trace or new outages begin now. */
  set(change: Partial<DirectionSpec>): void {
    checkDirection(this.name, change);
    if (change.rateBps !== undefined) {
      this.#endTrace();
      this.#setRate(change.rateBps);
    }
    if (change.delayMs !== undefined) this.#delayNs = Math.round(change.delayMs * MS);
    this.#loss.set(change);
    if (change.jitter !== undefined) this.#jitter.spec = change.jitter;
    this.#begin(change);
  }

  /** Down: packets in transit are lost, and so are later ones. */
  setUp(isUp: boolean): void {
    this.#isUp = isUp;
    if (!isUp) this.#dropEverything();
  }

  #begin({ trace, outages }: Partial<DirectionSpec>): void {
    if (trace !== undefined) {
      this.#trace = new TraceCursor(trace, this.#simulation.nowNs);
      this.#followTrace();
    }
    if (outages !== undefined) {
      this.#outages = new Outages(outages, this.#simulation.nowNs);
      this.#followOutages();
    }
  }

  #endTrace(): void {
    this.#trace = undefined;
    this.#traceTimer.cancel();
  }

  #followTrace(): void {
    if (this.#trace === undefined) return;
    const step: TraceStep = this.#trace.advance();
    if (step.delayMs !== undefined) this.#delayNs = Math.round(step.delayMs * MS);
    this.#setRate(step.rateBps);
    if (this.#trace.nextChangeNs !== NEVER_NS) this.#traceTimer.setAt(this.#trace.nextChangeNs);
  }

  #followOutages(): void {
    if (this.#outages === undefined) return;
    const { nowNs } = this.#simulation;
    this.#isOut = this.#outages.isOut(nowNs);
    if (this.#isOut) this.#dropEverything();
    const nextNs = this.#outages.nextChangeNs(nowNs);
    if (nextNs !== NEVER_NS) this.#outageTimer.setAt(nextNs);
  }

  #setRate(rateBps: number): void {
    const { nowNs } = this.#simulation;
    const finishNs = this.#service.isSet ? this.#service.timeNs : NEVER_NS;
    this.#serveUntil(this.#server.setRate(rateBps, nowNs, finishNs));
  }

  #serveUntil(finishNs: number): void {
    if (finishNs === NEVER_NS) this.#service.cancel();
    else this.#service.setAt(finishNs);
  }

  #startNext(): void {
    const { nowNs } = this.#simulation;
    const packet = this.#queue.dequeue(nowNs);
    this.#inService = packet;
    if (packet === undefined) return;
    this.onWait?.(nowNs - packet.arrivedNs, nowNs);
    this.#serveUntil(this.#server.finishNs(packet.sizeBytes, nowNs));
  }

  #depart(): void {
    const packet = this.#inService;
    if (packet === undefined) return;
    if (this.#loss.isLost()) {
      this.#stats.lossDrops += 1;
    } else {
      const dueNs = this.#simulation.nowNs + this.#jitter.delayNs(this.#delayNs);
      this.#line.push(packet, dueNs, this.#jitter.spec?.mayReorder === true);
      if (!this.#delivery.isSet || this.#delivery.timeNs > this.#line.nextDueNs) {
        this.#delivery.setAt(this.#line.nextDueNs);
      }
    }
    this.#startNext();
  }

  #deliver(): void {
    const packet = this.#line.pop(this.#simulation.nowNs);
    if (!this.#line.isEmpty) this.#delivery.setAt(this.#line.nextDueNs);
    if (packet === undefined) return;
    this.#stats.outPackets += 1;
    this.#stats.outBytes += packet.sizeBytes;
    packet.forward();
  }

  #dropEverything(): void {
    this.#stats.stateDrops +=
      this.#queue.clear() + (this.#inService === undefined ? 0 : 1) + this.#line.clear();
    this.#inService = undefined;
    this.#service.cancel();
    this.#delivery.cancel();
    this.#server.abandon();
  }
}
