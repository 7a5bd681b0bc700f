import type { NetworkSample } from '../../report';
import { mean } from '../../core';
import { START_SECONDS, type TrialDelays } from './delay-series';
import { every, Timer, type LinkDirection, type SimNetwork, type Simulation } from '../../sim';

/** Interval of samples: the figures show a value each second. */
const PERIOD_MS = 1000;
/** Sampling time before the end of a second, so that the sample belongs to that second. */
const EARLY_MS = 1;

type DirectionSample = NetworkSample['links'][number]['ab'];

/** Packets that left one direction's queue since the last sample. */
class QueueMeter {
  readonly #direction: LinkDirection;
  #waitSumNs = 0;
  #left = 0;
  /** Mean delay over the active flow queues at each sample, in ms; empty without flow queues. */
  readonly activeMs: number[] = [];

  constructor(direction: LinkDirection) {
    this.#direction = direction;
    direction.onWait = (waitNs) => {
      this.#waitSumNs += waitNs;
      this.#left += 1;
    };
  }

  sample(): DirectionSample {
    const { inPackets, outPackets, outBytes, queueDrops, lossDrops } = this.#direction.stats();
    const queueDelayMeanUs = this.#left > 0 ? this.#waitSumNs / this.#left / 1e3 : 0;
    this.#waitSumNs = 0;
    this.#left = 0;
    const activeNs = this.#direction.flowDelayNs;
    if (activeNs !== undefined) this.activeMs.push(activeNs / 1e6);
    return { queueDelayMeanUs, inPackets, outPackets, outBytes, queueDrops, lossDrops };
  }
}

/** Samples the queues of some links every second, in the form of a run's `network.jsonl`. */
export class QueueLog {
  readonly samples: NetworkSample[] = [];
  readonly #simulation: Simulation;
  readonly #links: readonly { name: string; ab: QueueMeter; ba: QueueMeter }[];

  constructor(simulation: Simulation, network: SimNetwork, links: readonly string[]) {
    this.#simulation = simulation;
    this.#links = links.map((name) => {
      const { ab, ba } = network.link(name);
      return { name, ab: new QueueMeter(ab), ba: new QueueMeter(ba) };
    });
    this.#sample();
    new Timer(simulation, () => {
      this.#sample();
      every(simulation, PERIOD_MS * 1e6, () => this.#sample());
    }).setIn((PERIOD_MS - EARLY_MS) * 1e6);
  }

  /** Mean of the readings of active flow queues after the start, by link. */
  activeDelays(): TrialDelays {
    return Object.fromEntries(
      this.#links.map(({ name, ab }) => [name, mean(ab.activeMs.slice(START_SECONDS)) ?? null]),
    );
  }

  #sample(): void {
    this.samples.push({
      monotonicMs: this.#simulation.nowNs / 1e6,
      links: this.#links.map(({ name, ab, ba }) => ({ name, ab: ab.sample(), ba: ba.sample() })),
    });
  }
}
