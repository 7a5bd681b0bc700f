/** Data for the page's script; embedded as JSON. Times are seconds since the session's first event. */
export interface RunData {
  /** Centres of the bins. */
  atS: number[];
  binS: number;
  pathIds: string[];
  /** Rate per path and bin. */
  pathMbps: number[][];
  /** Bit rate on screen; null before the first frame. */
  shownMbps: (number | null)[];
  bufferS: (number | null)[];
  /** All null on demand. */
  latencyS: (number | null)[];
  positionS: (number | null)[];
  /** Bytes waiting for an earlier byte, kB: the bin's maximum. */
  outOfOrderKb: number[];
  stalls: { startS: number; endS: number }[];
  events: { atS: number; label: string; lost: boolean }[];
  requests: RequestBar[];
  rungLabels: string[];
}

export interface RequestBar {
  startS: number;
  firstByteS: number | null;
  endS: number;
  mediaS: number;
  mediaDurationS: number;
  audio: boolean;
  rung: number;
  outcome: 'ok' | 'abandoned' | 'failed';
  label: string;
}

/** Id of the JSON element the script reads. */
export const DATA_ELEMENT_ID = 'report-data';
