import type { RememberedPath } from '../paths';

/** Keeps what is known of the networks from one session to the next. Neither call throws. */
export interface NetworkMemory {
  /** What earlier sessions left, when a session begins. */
  recall(): readonly RememberedPath[];
  /** Every 5 s and at the end: the networks whose rate is known by now. */
  remember(paths: readonly RememberedPath[]): void;
}

const KEY = 'multipath-dash.networks';
/** A network is what it was for so long. */
const KEPT_MS = 3_600_000;
const MOST = 32;

interface Entry extends RememberedPath {
  savedAtMs: number;
}

/** Remembers nothing. */
export const noMemory: NetworkMemory = { recall: () => [], remember: () => undefined };

/** In this origin's storage; where that is forbidden or full, nothing is remembered. */
export function createNetworkMemory(
  storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage,
  wallNowMs: () => number = Date.now,
): NetworkMemory {
  const read = (): Entry[] => {
    const nowMs = wallNowMs();
    try {
      const all: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
      return Array.isArray(all) ? all.filter(isEntry).filter(isFresh(nowMs)).slice(0, MOST) : [];
    } catch {
      return [];
    }
  };
  return {
    recall: () => read().map(({ pathId, address, rateBps }) => ({ pathId, address, rateBps })),
    remember(paths) {
      if (paths.length === 0) return;
      const savedAtMs = wallNowMs();
      const isOther = (old: Entry): boolean =>
        paths.every(({ pathId, address }) => pathId !== old.pathId || address !== old.address);
      const all = [...paths.map((path) => ({ ...path, savedAtMs })), ...read().filter(isOther)];
      try {
        storage().setItem(KEY, JSON.stringify(all.slice(0, MOST)));
      } catch {
        // Forbidden or full: the next stream starts as if it were the first.
      }
    },
  };
}

const isFresh =
  (nowMs: number) =>
  ({ savedAtMs }: Entry): boolean =>
    savedAtMs <= nowMs && nowMs - savedAtMs < KEPT_MS;

/** Storage may hold anything. */
function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { pathId, address, rateBps, savedAtMs } = value as Partial<Record<keyof Entry, unknown>>;
  const isName = (text: unknown): boolean => typeof text === 'string' && text.length <= 200;
  return (
    isName(pathId) &&
    isName(address) &&
    typeof rateBps === 'number' &&
    rateBps > 0 &&
    rateBps < 1e12 &&
    typeof savedAtMs === 'number'
  );
}
