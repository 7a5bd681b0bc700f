/** A viewer's positions in the streams of the last weeks, newest first. */
export interface ViewingHistory {
  /** Position to start at; undefined for the beginning. */
  startS(label: string): number | undefined;
  /** Addresses and paths of streams that were played. */
  recent(): string[];
  /** A stream plays. @param durationS not finite for a live stream, which has no place to return to */
  watched(label: string, positionS: number, durationS: number): void;
}

interface Entry {
  label: string;
  positionS: number;
}

const KEY = 'multipath-dash.history';
/** Streams remembered. Chosen; no measurement. */
const MAX_ENTRIES = 12;
/** Nobody needs help to find the first seconds, nor the credits. Chosen; no measurement. */
const EDGE_S = 5;
/** A longer label was not written by this player: storage may hold anything. */
const MAX_LABEL = 4096;

/** Keeps it in this origin's storage. If that is forbidden or full, nothing is remembered. */
export function createViewingHistory(
  storage: () => Pick<Storage, 'getItem' | 'setItem'> = () => localStorage,
): ViewingHistory {
  const read = (): Entry[] => {
    try {
      const all: unknown = JSON.parse(storage().getItem(KEY) ?? '[]');
      return Array.isArray(all) ? all.filter(isEntry).slice(0, MAX_ENTRIES) : [];
    } catch {
      return [];
    }
  };
  return {
    startS(label) {
      const positionS = read().find((one) => one.label === label)?.positionS ?? 0;
      return positionS > 0 ? positionS : undefined;
    },
    recent: () => read().map(({ label }) => label),
    watched(label, positionS, durationS) {
      const inside = positionS > EDGE_S && positionS < durationS - EDGE_S;
      const place = inside && Number.isFinite(durationS) ? Math.floor(positionS) : 0;
      const others = read().filter((one) => one.label !== label);
      const all = [{ label, positionS: place }, ...others].slice(0, MAX_ENTRIES);
      try {
        storage().setItem(KEY, JSON.stringify(all));
      } catch {
        // Forbidden or full: the next start is at the beginning.
      }
    },
  };
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { label, positionS } = value as Partial<Record<keyof Entry, unknown>>;
  return (
    typeof label === 'string' &&
    label.length <= MAX_LABEL &&
    typeof positionS === 'number' &&
    positionS >= 0
  );
}

/** The address that starts there: a media fragment (W3C, temporal dimension), unless it has a fragment already. */
export function startingAt(url: string, startS: number | undefined): string {
  return startS === undefined || url.includes('#') ? url : `${url}#t=${startS}`;
}
