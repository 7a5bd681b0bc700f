import type { LocalPath } from './subflow-plan';

/** Undefined: unknown. The subflow is then attempted without an interface binding. */
export type Reaches = (
  to: string,
  from: string,
  interfaceIndex: number,
) => Promise<boolean | undefined>;

/** Answers of the routing tables, until the network changes. */
export class KnownRoutes {
  readonly #ask: Reaches;
  #answers = new Map<string, boolean | undefined>();

  constructor(ask: Reaches) {
    this.#ask = ask;
  }

  async reaches(path: LocalPath, to: string): Promise<boolean | undefined> {
    if (path.address.includes(':') !== to.includes(':')) return false;
    const key = `${path.address} ${path.interfaceIndex} ${to}`;
    const answers = this.#answers;
    if (!answers.has(key)) {
      answers.set(key, await this.#ask(to, path.address, path.interfaceIndex));
    }
    return answers.get(key);
  }

  /** Returns true if one of the servers can be reached. Undefined without servers. */
  async leadsToAny(path: LocalPath, servers: readonly string[]): Promise<boolean | undefined> {
    const known = await Promise.all(servers.map((to) => this.reaches(path, to)));
    return known.length === 0 ? undefined : known.some((answer) => answer !== false);
  }

  networkChanged(): void {
    // A new map: a pending answer belongs to the state before the change.
    this.#answers = new Map();
  }
}
