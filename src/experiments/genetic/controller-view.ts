import type { LinkValues } from './link-values';
import type { LinkView } from './selection';
import type { SwitchPath } from './switch-paths';

/** Interval of the controller's readings, and the number it keeps. */
export const READ_MS = 1000;
const READINGS = 5;

/** Byte counters of a link: one direction, the other direction. */
export type LinkCounters = readonly [number, number];

/** Nothing was sent before the start. */
const NONE = { atMs: 0, bytes: [0, 0] as const };

interface SeenLink {
  values: LinkValues;
  /** Clients with a subflow over it. */
  clients: Set<number>;
  /** Oldest first. */
  readings: { atMs: number; bytes: LinkCounters }[];
}

/** The controller's knowledge: the use of each link, and the paths of the clients that are there. */
export class ControllerView {
  readonly #links: readonly SeenLink[];
  readonly #taken = new Map<number, readonly SwitchPath[]>();

  constructor(values: readonly LinkValues[]) {
    this.#links = values.map((own) => ({ values: own, clients: new Set(), readings: [NONE] }));
  }

  /**
   * Adds the counters of all links; call it every {@link READ_MS}.
   * @param atMs time since the start
   */
  read(counters: readonly LinkCounters[], atMs: number): void {
    this.#links.forEach(({ readings }, link) => {
      readings.push({ atMs, bytes: counters[link] ?? [0, 0] });
      if (readings.length > READINGS + 1) readings.shift();
    });
  }

  /** The links: usage is the rate of the busier direction over the last five seconds. */
  links(): LinkView[] {
    return this.#links.map(({ values, clients, readings }) => {
      const first = readings[0] ?? NONE;
      const last = readings.at(-1) ?? first;
      const seconds = (last.atMs - first.atMs) / 1000;
      const bytes = Math.max(last.bytes[0] - first.bytes[0], last.bytes[1] - first.bytes[1]);
      const usedBps = seconds > 0 ? (bytes * 8) / seconds : 0;
      return { ...values, usedBps, clients: clients.size };
    });
  }

  /** Counts a client on its paths. */
  take(client: number, chosen: readonly SwitchPath[]): void {
    this.#taken.set(client, chosen);
    for (const { links } of chosen) {
      for (const link of links) this.#links[link]?.clients.add(client);
    }
  }

  /** Clients with a subflow over exactly this path. */
  clientsOn({ links }: SwitchPath): number {
    const key = links.join(' ');
    return [...this.#taken.values()].filter((paths) =>
      paths.some((path) => path.links.join(' ') === key),
    ).length;
  }

  /** A client has left: its paths no longer count. */
  release(client: number): void {
    this.#taken.delete(client);
    for (const { clients } of this.#links) clients.delete(client);
  }
}
