import type { Measure } from './cells';

export interface NamedMeasure {
  label: string;
  digits: number;
  of: Measure;
  /** Counts single events of a film. */
  isEvents?: boolean;
}

export const UNDERFLOWS: NamedMeasure = {
  label: 'Buffer underflows',
  digits: 1,
  of: ({ underflows }) => underflows,
  isEvents: true,
};

export const DISCARDS: NamedMeasure = {
  label: 'Picture discards',
  digits: 1,
  of: ({ discards }) => discards,
  isEvents: true,
};

export const SWITCHES: NamedMeasure = {
  label: 'Path switches',
  digits: 0,
  of: ({ pathSwitches }) => pathSwitches,
};

/** Mbit/s of one subflow, by index. */
export function throughput(flow: number): NamedMeasure {
  return {
    label: `Flow ${flow + 1}`,
    digits: 3,
    of: ({ throughputBps }) => (throughputBps[flow] ?? 0) / 1e6,
  };
}

/** Percent of a subflow's data packets that were retransmitted. */
export function sentAgain(flow: number): NamedMeasure {
  return {
    label: `Flow ${flow + 1}, sent again`,
    digits: 2,
    of: ({ retransmitShare }) => 100 * (retransmitShare[flow] ?? 0),
  };
}

/** Percent of the data packets of all subflows that were retransmitted. */
export const SENT_AGAIN: NamedMeasure = {
  label: 'Sent again',
  digits: 3,
  of: ({ throughputBps, retransmitShare }) => {
    // Packets by the bytes that arrived: each subflow has the same segment size and loading time.
    const packets = throughputBps.map((bps, flow) => bps / (1 - (retransmitShare[flow] ?? 0)));
    const again = packets.map((count, flow) => count * (retransmitShare[flow] ?? 0));
    return (100 * total(again)) / total(packets);
  },
};

export const FROZEN: NamedMeasure = {
  label: 'Frozen',
  digits: 1,
  of: ({ frozenMs }) => frozenMs / 1000,
};

export const START_DELAY: NamedMeasure = {
  label: 'Start delay',
  digits: 2,
  of: ({ startDelayMs }) => startDelayMs / 1000,
};

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
