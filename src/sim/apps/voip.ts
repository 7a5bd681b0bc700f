import type { Simulation } from '../engine/simulation';
import type { SplitMix64 } from '../engine/split-mix';
import { Timer } from '../engine/timer';
import { Ecn, Packet, type Receiver } from '../packet';
import { addRtp, NO_RTP, RtpReceiver, rtpQuality, type RtpQuality } from './rtp-receiver';

/** PCMA: 8000 bytes a second (RFC 3551, section 4.5.14), 20 ms a packet; headers of RTP, UDP and IP. */
const PCMA_PERIOD_NS = 20e6;
const PCMA_MEDIA_BYTES = 160;
const RTP_PACKET_BYTES = PCMA_MEDIA_BYTES + 12 + 8 + 20;
/** A packet that takes longer counts as lost. */
const SETTLE_NS = 1e9;
const SETTLE_PACKETS = SETTLE_NS / PCMA_PERIOD_NS;

export interface VoipOptions {
  /** Links from the caller to the callee, and back. */
  there: readonly Receiver[];
  back: readonly Receiver[];
  /** Flow queue name of the first call; each further call uses the next two names, unless all are one flow. */
  flow: number;
  /** All calls have one port pair, so that a flow queue takes them for one flow. */
  isOneFlow?: boolean;
  /** Calls started per second, evenly spaced. */
  callsPerSecond: number;
  /** Length of a call. */
  holdMs: number;
  /** Limit of concurrent calls; a further call waits for the next turn. Default no limit. */
  maxCalls?: number;
  /** Decides the phase of a call within its packet period. */
  random: SplitMix64;
  /** Default now, and never. */
  startNs?: number;
  stopNs?: number;
}

export interface VoipResult {
  started: number;
  completed: number;
  /** Quality from the caller to the callee. */
  there: RtpQuality;
  back: RtpQuality;
}

interface Call {
  there: RtpReceiver;
  back: RtpReceiver;
}

/**
 * Telephone calls: RTP over UDP both ways, one PCMA packet every 20 ms for the length of the call,
 * independent of the network. Calls need no signalling, so none of them fails.
 */
export class VoipCalls {
  readonly #simulation: Simulation;
  readonly #options: VoipOptions;
  readonly #calls: Call[] = [];
  #active = 0;
  #completed = 0;

  constructor(simulation: Simulation, options: VoipOptions) {
    this.#simulation = simulation;
    this.#options = options;
    const periodNs = Math.round(1e9 / options.callsPerSecond);
    const turn = new Timer(simulation, () => {
      if (this.#isOver()) return;
      if (this.#active < (options.maxCalls ?? Infinity)) this.#begin();
      turn.setIn(periodNs);
    });
    turn.setAt(options.startNs ?? simulation.nowNs);
  }

  result(): VoipResult {
    const all = (pick: (call: Call) => RtpReceiver): RtpQuality =>
      rtpQuality(this.#calls.reduce((sum, call) => addRtp(sum, pick(call).totals()), NO_RTP));
    return {
      started: this.#calls.length,
      completed: this.#completed,
      there: all(({ there }) => there),
      back: all(({ back }) => back),
    };
  }

  #isOver(): boolean {
    return this.#simulation.nowNs >= (this.#options.stopNs ?? Infinity);
  }

  #begin(): void {
    const { there, back, holdMs, random } = this.#options;
    const flow =
      this.#options.flow + (this.#options.isOneFlow === true ? 0 : 2 * this.#calls.length);
    const call = {
      there: new RtpReceiver(this.#simulation),
      back: new RtpReceiver(this.#simulation),
    };
    const routes = [
      { flow, route: [...there, call.there] },
      { flow: flow + 1, route: [...back, call.back] },
    ];
    this.#calls.push(call);
    this.#active += 1;
    const packets = Math.floor((holdMs * 1e6) / PCMA_PERIOD_NS);
    let sequence = 0;
    const talk = new Timer(this.#simulation, () => {
      if (sequence >= packets || this.#isOver()) {
        this.#end(call, sequence);
        return;
      }
      const sentNs = this.#simulation.nowNs;
      for (const { flow: name, route } of routes) {
        const payload = { sequence, sentNs };
        new Packet(RTP_PACKET_BYTES, name, Ecn.notCapable, route, payload).forward();
      }
      sequence += 1;
      this.#await(call, sequence - SETTLE_PACKETS);
      talk.setIn(PCMA_PERIOD_NS);
    });
    talk.setIn(Math.floor(random.uniform() * PCMA_PERIOD_NS));
  }

  #end(call: Call, sent: number): void {
    this.#active -= 1;
    this.#completed += 1;
    new Timer(this.#simulation, () => this.#await(call, sent)).setIn(SETTLE_NS);
  }

  #await({ there, back }: Call, packets: number): void {
    there.due = packets;
    back.due = packets;
  }
}
