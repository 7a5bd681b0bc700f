import { LabError } from './errors';

/** One emulated path between client and server, the same in both directions. */
export interface PathSpec {
  rateBps: number;
  /** One way. */
  delayMs: number;
  /** 0 to 1, of packets in each direction. */
  lossRatio: number;
  /** Droptail limit in bytes. */
  queueBytes: number;
}

/** Droptail limit where none is given: 40 full packets, 96 ms at 5 Mbit/s. */
export const DEFAULT_QUEUE_BYTES = 60_000;

/** What a newcomer's demo runs over. */
export const DEFAULT_PATHS: readonly PathSpec[] = [
  { rateBps: 5_000_000, delayMs: 10, lossRatio: 0, queueBytes: DEFAULT_QUEUE_BYTES },
  { rateBps: 2_000_000, delayMs: 40, lossRatio: 0, queueBytes: DEFAULT_QUEUE_BYTES },
];

const RATE_UNITS: Readonly<Record<string, number>> = { bit: 1, kbit: 1e3, mbit: 1e6, gbit: 1e9 };
const SIZE_UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6 };
const DELAY_UNITS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 };

const MIN_RATE_BPS = 1e3;
const MAX_RATE_BPS = 1e11;
const MAX_DELAY_MS = 10_000;
const MIN_QUEUE_BYTES = 1_500;
const MAX_QUEUE_BYTES = 1e9;
const EXAMPLE = '5000kbit,10ms or 600kbit,150ms,1%,q=60kB';

function refuse(text: string, message: string): never {
  throw new LabError('BAD_OPTION', `path "${text}": ${message}`, `write it like ${EXAMPLE}`);
}

interface Quantity {
  value: number;
  unit: string;
}

function parseQuantity(part: string): Quantity | undefined {
  const match = /^(\d+(?:\.\d+)?)([a-z%]+)$/i.exec(part);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { value: Number(match[1]), unit: match[2].toLowerCase() };
}

function inRange(text: string, name: string, value: number, min: number, max: number): number {
  if (!(value >= min && value <= max)) {
    refuse(text, `${name} ${String(value)} is not between ${String(min)} and ${String(max)}`);
  }
  return value;
}

/**
 * Reads `RATE,DELAY[,LOSS%][,q=SIZE]`, e.g. `600kbit,150ms,1%,q=60kB`; the parts may come in any order.
 * Units: bit, kbit, mbit, gbit (decimal); us, ms, s (one way); %; B, kB, MB.
 * @throws LabError BAD_OPTION naming the part
 */
export function parsePathSpec(text: string): PathSpec {
  const found: Partial<PathSpec> = {};
  const put = (name: keyof PathSpec, value: number): void => {
    if (found[name] !== undefined) refuse(text, `${name} is given twice`);
    found[name] = value;
  };
  for (const part of text.split(',').map((piece) => piece.trim())) {
    const isQueue = part.startsWith('q=');
    const quantity = parseQuantity(isQueue ? part.slice(2) : part);
    const unit = quantity?.unit ?? '';
    const value = quantity?.value ?? Number.NaN;
    const rateUnit = RATE_UNITS[unit];
    const delayUnit = DELAY_UNITS[unit];
    const sizeUnit = SIZE_UNITS[unit];
    if (isQueue && sizeUnit !== undefined) {
      const bytes = Math.round(value * sizeUnit);
      put('queueBytes', inRange(text, 'queueBytes', bytes, MIN_QUEUE_BYTES, MAX_QUEUE_BYTES));
    } else if (isQueue) {
      refuse(text, `"${part}" is not a queue size`);
    } else if (rateUnit !== undefined) {
      const rateBps = Math.round(value * rateUnit);
      put('rateBps', inRange(text, 'rateBps', rateBps, MIN_RATE_BPS, MAX_RATE_BPS));
    } else if (delayUnit !== undefined) {
      put('delayMs', inRange(text, 'delayMs', value * delayUnit, 0, MAX_DELAY_MS));
    } else if (unit === '%') {
      put('lossRatio', inRange(text, 'loss in percent', value, 0, 100) / 100);
    } else {
      refuse(text, `"${part}" is neither a rate, a delay, a loss nor a queue size`);
    }
  }
  const { rateBps, delayMs, lossRatio = 0, queueBytes = DEFAULT_QUEUE_BYTES } = found;
  if (rateBps === undefined) refuse(text, 'the rate is missing');
  if (delayMs === undefined) refuse(text, 'the delay is missing');
  return { rateBps, delayMs, lossRatio, queueBytes };
}
