import { controlKey, type CcJob, type CcOutcome, type Control } from './job';
import {
  VALUE_NAMES,
  valueFrom,
  type CourseName,
  type QuantityName,
  type ValueName,
} from './paper';

export interface CcResult {
  job: CcJob;
  outcome: CcOutcome;
}

/** A quantity of one run, in the units of Table 3. */
function valueOf(name: QuantityName | CourseName, outcome: CcOutcome): number | null {
  const [path1, path2] = outcome.paths;
  switch (name) {
    case 'protocolMean':
      return outcome.protocolMeanMs;
    case 'protocolMax':
      return outcome.protocolMaxMs;
    case 'holMean':
      return outcome.holMeanMs;
    case 'holMax':
      // Equation 8: no value is below 0.
      return outcome.holMaxMs === null ? null : Math.max(0, outcome.holMaxMs);
    case 'srtt1Mean':
      return path1?.srttMeanMs ?? null;
    case 'srtt1Max':
      return path1?.srttMaxMs ?? null;
    case 'srtt2Mean':
      return path2?.srttMeanMs ?? null;
    case 'srtt2Max':
      return path2?.srttMaxMs ?? null;
    case 'drops1':
      return path1?.dropsPerSecond ?? null;
    case 'drops2':
      return path2?.dropsPerSecond ?? null;
    case 'goodputMean':
      return outcome.goodputMeanBps / 1e6;
    case 'goodputMax':
      return outcome.goodputMaxBps / 1e6;
    case 'goodputVariation':
      return outcome.goodputVariation === undefined ? null : outcome.goodputVariation * 100;
    case 'goodputSlope':
      return outcome.goodputSlopeMbps ?? null;
    case 'stillShare':
      return outcome.stillShare === undefined ? null : outcome.stillShare * 100;
    case 'protocolMin':
      return outcome.protocolMinMs ?? null;
    case 'protocolHigh':
      return outcome.protocolHighMs ?? null;
  }
}

/** All values, by control and quantity, each by trial. */
export class CcValues {
  readonly #values = new Map<string, Map<number, number>>();
  readonly #trials = new Map<ValueName, Set<number>>();

  /** @param like if given, each quantity is taken only from the trials in which these values have it */
  constructor(results: readonly CcResult[], like?: CcValues) {
    for (const { job, outcome } of results) {
      for (const name of VALUE_NAMES) {
        const value = valueFrom(name, (one) => valueOf(one, outcome));
        if (value === null || like?.has(name, job.trial) === false) continue;
        const key = keyOf(job.control, name);
        const known = this.#values.get(key) ?? new Map<number, number>();
        this.#values.set(key, known.set(job.trial, value));
        this.#trials.set(name, (this.#trials.get(name) ?? new Set<number>()).add(job.trial));
      }
    }
  }

  /** True if any control has the quantity in a trial: kept runs of an earlier version lack some. */
  has(name: ValueName, trial: number): boolean {
    return this.#trials.get(name)?.has(trial) === true;
  }

  /** True if any run has the quantity. */
  hasAny(name: ValueName): boolean {
    return this.#trials.has(name);
  }

  /** Values of one control, by trial. */
  of(control: Control, name: ValueName): ReadonlyMap<number, number> {
    return this.#values.get(keyOf(control, name)) ?? new Map<number, number>();
  }

  /** Mean of several controls in each trial that has them all. */
  ofAll(controls: readonly Control[], name: ValueName): Map<number, number> {
    const all = controls.map((control) => this.of(control, name));
    const [first] = all;
    return new Map(
      [...(first?.keys() ?? [])].flatMap((trial): [number, number][] => {
        const values = all.flatMap((one) => one.get(trial) ?? []);
        const sum = values.reduce((total, value) => total + value, 0);
        return values.length === controls.length ? [[trial, sum / values.length]] : [];
      }),
    );
  }
}

const keyOf = (control: Control, name: ValueName): string => `${controlKey(control)} ${name}`;
