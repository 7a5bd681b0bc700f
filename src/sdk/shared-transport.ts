import type { WantedPathState } from '../core';
import type { PathRequest, Transport } from '../ports';

type WantedPath = PathRequest['paths'][number];

/** A path that one player needs stays, whatever another would do. */
const RANK: Record<WantedPathState, number> = { closed: 0, backup: 1, active: 2 };

interface User {
  origins: readonly string[];
  wanted: Map<string, WantedPath>;
}

/** The states that all players together want of the paths in one player's request. */
export function mergeWanted(
  asked: readonly WantedPath[],
  others: readonly ReadonlyMap<string, WantedPath>[],
): WantedPath[] {
  return asked.map((path) =>
    others
      .flatMap((other) => other.get(path.pathId) ?? [])
      .reduce((best, one) => (RANK[one.state] > RANK[best.state] ? one : best), path),
  );
}

/** Lets several players of a page use one transport: no player takes away what another watches or needs. */
class Shared {
  readonly #transport: Transport;
  readonly #users = new Map<symbol, User>();
  #sequence = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  join(): { transport: Transport; leave: () => void } {
    const shared = this.#transport;
    const key = Symbol('player');
    const user: User = { origins: [], wanted: new Map() };
    /** The shared sequence number of this player's last request, and its own. */
    let asked: { shared: number; own: number } | undefined;
    /** A player that was built in part does not end them. */
    const subscriptions = new Set<() => void>();
    this.#users.set(key, user);
    const transport: Transport = {
      nowMs: () => shared.nowMs(),
      subscribe: (listener) => {
        const undo = shared.subscribe((message) => {
          if (message.type !== 'path-control' || message.report.sequence === undefined) {
            listener(message);
            return;
          }
          const { sequence, ...report } = message.report;
          const mine = sequence === asked?.shared;
          listener({
            type: 'path-control',
            report: mine ? { ...report, sequence: asked?.own } : report,
          });
        });
        subscriptions.add(undo);
        return undo;
      },
      watch: (origins) => {
        user.origins = origins;
        this.#watch();
      },
      ...(shared.requestPaths
        ? {
            requestPaths: ({ sequence, paths }: PathRequest) => {
              for (const path of paths) user.wanted.set(path.pathId, path);
              asked = { shared: this.#sequence + 1, own: sequence };
              this.#request(paths, user);
            },
          }
        : {}),
      close: () => shared.close(),
    };
    const leave = (): void => {
      for (const undo of subscriptions) undo();
      if (!this.#users.delete(key) || this.#users.size === 0) return;
      this.#watch();
      // Without this, a path that only the leaving player had closed would stay closed for the others.
      const all = [...this.#users.values()];
      const paths = [...user.wanted.values()]
        .filter(({ state }) => state !== 'active')
        .map(({ pathId }): WantedPath => ({
          pathId,
          state: all.some(({ wanted }) => wanted.has(pathId)) ? 'closed' : 'active',
        }));
      if (paths.length > 0) this.#request(paths, user);
    };
    return { transport, leave };
  }

  #request(paths: readonly WantedPath[], user: User): void {
    const others = [...this.#users.values()].filter((one) => one !== user);
    this.#sequence += 1;
    this.#transport.requestPaths?.({
      sequence: this.#sequence,
      paths: mergeWanted(
        paths,
        others.map(({ wanted }) => wanted),
      ),
    });
  }

  #watch(): void {
    const all = new Set([...this.#users.values()].flatMap(({ origins }) => origins));
    this.#transport.watch([...all]);
  }
}

const shares = new WeakMap<Transport, Shared>();

/** A player's own view of a transport that others may use as well. */
export function joinTransport(transport: Transport): { transport: Transport; leave: () => void } {
  let shared = shares.get(transport);
  if (!shared) {
    shared = new Shared(transport);
    shares.set(transport, shared);
  }
  return shared.join();
}
