/** Where something stands in a scenario: `['topology', 'paths', 'wifi', 'rate']`. */
export type ScenarioPath = readonly (string | number)[];

export interface Problem {
  path: ScenarioPath;
  message: string;
}

/** Collects what is wrong, so that all of it can be told at once. */
export class Problems {
  readonly #found = new Map<string, Problem>();

  get all(): readonly Problem[] {
    return [...this.#found.values()];
  }

  /** What is read twice, because it holds for two things, is told once. */
  add(path: ScenarioPath, message: string): void {
    this.#found.set(JSON.stringify([path, message]), { path, message });
  }
}

/** Files a scenario names; supplied by whoever may read files. */
export interface ScenarioFiles {
  /** Makes a file's name absolute: relative ones are meant from the scenario's folder. */
  resolve: (reference: string) => string;
  /** Text of a file. @throws any error, whose message is told */
  read: (file: string) => string;
}

/** What making a part of a scenario needs to know. */
export interface ReadContext {
  problems: Problems;
  files: ScenarioFiles;
}
