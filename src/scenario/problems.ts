import type { IpVersion } from './types';

/** A place in a scenario: `['topology', 'paths', 'wifi', 'rate']`. */
export type ScenarioPath = readonly (string | number)[];

export interface Problem {
  path: ScenarioPath;
  message: string;
}

/** Collects problems, so that all are reported at once. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  get all(): readonly Problem[] {
    return [...this.#found.values()];
  }

  /** A problem found twice, because its value has two uses, is reported once. */
  add(path: ScenarioPath, message: string): void {
    this.#found.set(JSON.stringify([path, message]), { path, message });
  }
}

/** Reads the files that a scenario names; supplied by an edge layer. */
export interface ScenarioFiles {
  /** Resolves a file name relative to the scenario's folder. */
  resolve: (reference: string) => string;
  /**
   * Text of a file.
   * @throws any error; its message is reported
   */
  read: (file: string) => string;
}

/** Context for reading a part of a scenario. */
export interface ReadContext {
  problems: Problems;
  files: ScenarioFiles;
  /** IP versions of the scenario's network. */
  ipVersion: IpVersion;
}
