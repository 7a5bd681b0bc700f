/** Factors to milliseconds and kbit/s of a table's two columns. */
export interface TraceUnits {
  msPerTime: number;
  kbpsPerRate: number;
}

/** A column of the header whose unit cannot be read, counted from 1, and the reason. */
export interface HeaderProblem {
  column: number;
  detail: string;
}

const MS_PER_TIME: Readonly<Record<string, number>> = {
  ms: 1,
  msec: 1,
  msecs: 1,
  millis: 1,
  millisecond: 1,
  milliseconds: 1,
  s: 1000,
  sec: 1000,
  secs: 1000,
  second: 1000,
  seconds: 1000,
};

/** Units of time that no recording of rates needs. */
const OTHER_TIMES = new Set(['us', 'µs', 'usec', 'ns', 'min', 'minutes', 'h', 'hours']);

const KBPS_PER_RATE: Readonly<Record<string, number>> = { '': 0.001, k: 1, m: 1000, g: 1e6 };

/** `kbps`, `Mbit/s`, `Mb/s`, `bits_per_second`, `mbit`; a lone `bit` does not say by what time. */
const BITS =
  /(?:^|[^a-z])(?:([kmg]?)(?:bps|b(?:its?)?[ _]?(?:\/|per)[ _]?s(?:ec(?:onds?)?)?)|([kmg])bits?)(?:$|[^a-z])/i;

/** `MB/s`, `kBps`, `KiB/s`, `bytes`. In capitals throughout, `KBPS` are bits. */
const BYTES =
  /(?:^|[^A-Za-z])(?:[kKmMgG]i?B(?:ps|\/s)?|B(?:ps|\/s)|[A-Za-z]*[bB]ytes?)(?:$|[^A-Za-z])/;

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-zµ]+/);

/** The names in a header, by its separators. Blanks separate only where there is no other one. */
function namesOf(header: string): string[] {
  const separator = /[,;\t]/.test(header) ? /[,;\t]/ : /\s+/;
  return header.trim().split(separator);
}

/**
 * The units that the header of a table names: the first column is the time, the second the rate.
 * Without a unit they are milliseconds and kbit/s.
 * @param columns numbers in each line: 1 (times of deliveries) or 2
 */
export function readHeader(header: string, columns: number): TraceUnits | HeaderProblem {
  const [time = '', rate = ''] = namesOf(header);
  if (BITS.test(time) || BYTES.test(time)) {
    return { column: 1, detail: `"${time}" is a rate: the first column is the time` };
  }
  const unit = wordsOf(time).find((word) => word in MS_PER_TIME || OTHER_TIMES.has(word));
  const msPerTime = unit === undefined ? 1 : MS_PER_TIME[unit];
  if (msPerTime === undefined) return { column: 1, detail: `"${time}": take ms or s` };
  if (columns === 1) {
    return msPerTime === 1
      ? { msPerTime, kbpsPerRate: 1 }
      : { column: 1, detail: `"${time}": times of deliveries are in milliseconds` };
  }
  if (BYTES.test(rate)) return { column: 2, detail: `"${rate}" are bytes: take kbps or Mbps` };
  const [, perSecond, alone] = BITS.exec(rate) ?? [];
  const prefix = perSecond ?? alone;
  if (prefix !== undefined) {
    return { msPerTime, kbpsPerRate: KBPS_PER_RATE[prefix.toLowerCase()] ?? 1 };
  }
  const isTime = wordsOf(rate).some((word) => word in MS_PER_TIME || OTHER_TIMES.has(word));
  if (isTime) return { column: 2, detail: `"${rate}" is no rate: take kbps or Mbps` };
  return { msPerTime, kbpsPerRate: 1 };
}
