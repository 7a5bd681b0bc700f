/** A link's delay each way, its queue, and the share of its packets that are lost one by one. */
export interface PairLink {
  delayMs: number;
  queueBytes: number;
  lossRatio?: number;
}

/** The film of a pair that has one of its own. */
export interface PairFilm {
  ladderBps: readonly number[];
  segmentMs: number;
}

/** A network of a pair: its rate over time. */
export interface PairPath {
  id: 'wifi' | 'lte';
  /** The rates' source, for the reader. */
  source: string;
  stepMs: number;
  kbps: readonly number[];
  /** Spells without carrier. */
  away?: readonly Spell[];
  /** Absent: the link of the recordings (`networks.ts`). */
  link?: PairLink;
}

/** Kept results contain these names. */
export interface Spell {
  fromMs: number;
  toMs: number;
}
