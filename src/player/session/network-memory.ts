import type { RememberedPath } from '../../estimate';

/** Keeps knowledge of the networks between sessions. Neither call throws. */
export interface NetworkMemory {
  /** Records of earlier sessions, read when a session begins. */
  recall(): readonly RememberedPath[];
  /** Called every 5 s and at the end, with the networks of known rate. */
  remember(paths: readonly RememberedPath[]): void;
}

const KEY = 'multipath-dash.networks';
/** Records older than this are outdated. Chosen; no measurement. */
const KEPT_MS = 3_600_000;
/** Records kept; a viewer has fewer networks. Chosen; no measurement. */
const MAX_ENTRIES = 32;
/** Storage may hold anything: a longer name was not written by this player. */
const MAX_NAME = 200;
/** 1 Tbit/s: a larger rate was not written by this player. */
const MAX_RATE_BPS = 1e12;

interface Entry extends RememberedPath {
  savedAtMs: number;
}

/** Remembers nothing. */
export const noMemory: NetworkMemory = { recall: () => [], remember: () => undefined };

/** Uses this origin's storage. If it is forbidden or full, nothing is remembered. */
export function createNetworkMemory(
  storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage,
  wallNowMs: () => number = Date.now,
): NetworkMemory {
  const read = (): Entry[] => {
    const nowMs = wallNowMs();
    try {
      const all: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
      return Array.isArray(all)
        ? all.filter(isEntry).filter(isFresh(nowMs)).slice(0, MAX_ENTRIES)
        : [];
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
        storage().setItem(KEY, JSON.stringify(all.slice(0, MAX_ENTRIES)));
      } catch {
        // Forbidden or full: the next stream starts without earlier records.
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
  const isName = (text: unknown): boolean => typeof text === 'string' && text.length <= MAX_NAME;
  return (
    isName(pathId) &&
    isName(address) &&
    typeof rateBps === 'number' &&
    rateBps > 0 &&
    rateBps < MAX_RATE_BPS &&
    typeof savedAtMs === 'number'
  );
}
