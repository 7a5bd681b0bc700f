import { harmonicMean, type Controller, type ControllerObservation } from './controller';

const HORIZON = 5;
const SEGMENTS = 5;

/** RobustMPC (Yin et al., SIGCOMM 2015): the best plan for five segments at the forecast over one plus its worst recent error. */
export class RobustMpc implements Controller {
  readonly name = 'robust-mpc';
  #forecastBps: number | undefined;
  readonly #errors: number[] = [];

  choose(observation: ControllerObservation): number {
    const { throughputBps, currentRung } = observation;
    const actual = throughputBps.at(-1);
    if (this.#forecastBps !== undefined && actual !== undefined) {
      this.#errors.push(Math.abs(this.#forecastBps - actual) / actual);
      if (this.#errors.length > SEGMENTS) this.#errors.shift();
    }
    this.#forecastBps = harmonicMean(throughputBps, SEGMENTS);
    if (this.#forecastBps === undefined) return 0;
    const rateBps = this.#forecastBps / (1 + Math.max(0, ...this.#errors));
    return this.#best(observation, rateBps, Math.max(currentRung, 0));
  }

  #best(observation: ControllerObservation, rateBps: number, currentRung: number): number {
    const { ladder, segmentMs, bufferTargetMs, nextBytes } = observation;
    const mbps = ladder.rungs.map(({ bitrateBps }) => bitrateBps / 1e6);
    const penalty = mbps.at(-1) ?? 0;
    const depth = Math.min(HORIZON, nextBytes.length);
    let bestFirst = 0;
    let best = -Infinity;
    const search = (
      step: number,
      rung: number,
      bufferMs: number,
      qoe: number,
      first: number,
    ): void => {
      if (step === depth) {
        if (qoe > best) {
          best = qoe;
          bestFirst = first;
        }
        return;
      }
      mbps.forEach((value, next) => {
        const bytes = nextBytes[step]?.[next] ?? 0;
        const downloadMs = (bytes * 8e3) / rateBps;
        const stallMs = Math.max(0, downloadMs - bufferMs);
        const after = Math.min(Math.max(bufferMs - downloadMs, 0) + segmentMs, bufferTargetMs);
        const gain = value - (penalty * stallMs) / 1000 - Math.abs(value - (mbps[rung] ?? 0));
        search(step + 1, next, after, qoe + gain, step === 0 ? next : first);
      });
    };
    search(0, currentRung, observation.bufferMs, 0, 0);
    return bestFirst;
  }
}
