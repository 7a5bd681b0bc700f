import {
  DROPTAIL_BYTES,
  expandTopology,
  MAX_PATHS,
  QUEUE_DISCIPLINES,
  scenarioLimitBytes,
  type JitterSpec,
  type QueueSpec,
  type Topology,
} from '../scenario';
import { LabError } from './errors';

/** One emulated path between client and server, equal in both directions. */
export interface PathSpec {
  rateBps: number;
  /** One way. */
  delayMs: number;
  /** 0 to 1, of packets in each direction. */
  lossRatio: number;
  /** Limit of the queue in bytes. */
  queueBytes: number;
  /** Droptail when absent. */
  queue?: QueueSpec;
  jitter?: JitterSpec;
}

/** Paths of a demo without options. */
export const DEFAULT_PATHS: readonly PathSpec[] = [
  { rateBps: 5_000_000, delayMs: 10, lossRatio: 0, queueBytes: DROPTAIL_BYTES },
  { rateBps: 2_000_000, delayMs: 40, lossRatio: 0, queueBytes: DROPTAIL_BYTES },
];

const RATE_UNITS: Readonly<Record<string, number>> = { bit: 1, kbit: 1e3, mbit: 1e6, gbit: 1e9 };
const SIZE_UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6 };
const DELAY_UNITS: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3 };

/** The emulator's bounds of a rate (native/link/src/direction_fields.cc, fields.h). */
const MIN_RATE_BPS = 1e3;
const MAX_RATE_BPS = 1e11;
/** The emulator's bound of every delay (kMaxDelayUs). */
const MAX_DELAY_MS = 10_000;
/** The emulator's least target of an AQM: it counts whole microseconds. */
const MIN_TARGET_MS = 0.001;
/** One full packet: a smaller queue never holds one. */
const MIN_QUEUE_BYTES = 1_500;
/** The emulator's bound of a queue (kMaxQueueBytes). */
const MAX_QUEUE_BYTES = 1e9;
const EXAMPLE = '5000kbit,10ms or 600kbit,150ms,1%,q=60kB or 5mbit,10ms,qdisc=pie,target=15ms';

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
    refuse(text, `${name} ${value} is not between ${min} and ${max}`);
  }
  return value;
}

interface Found extends Partial<PathSpec> {
  discipline?: QueueSpec['discipline'];
  targetMs?: number;
  ecn?: boolean;
}

/**
 * Parses one part.
 * @throws LabError BAD_OPTION
 */
function parsePart(text: string, part: string): Found {
  const [, key = '', written = part] = /^([a-z]+)=(.*)$/.exec(part) ?? [];
  const quantity = parseQuantity(written);
  const value = quantity?.value ?? Number.NaN;
  const unit = quantity?.unit ?? '';
  const rateUnit = RATE_UNITS[unit];
  const delayUnit = DELAY_UNITS[unit];
  const sizeUnit = SIZE_UNITS[unit];
  const delayMs = (name: string, minMs: number): number => {
    if (delayUnit === undefined) refuse(text, `"${part}" is not a time`);
    return inRange(text, name, value * delayUnit, minMs, MAX_DELAY_MS);
  };
  switch (key) {
    case 'q': {
      if (sizeUnit === undefined) refuse(text, `"${part}" is not a queue size`);
      const bytes = Math.round(value * sizeUnit);
      return { queueBytes: inRange(text, 'queueBytes', bytes, MIN_QUEUE_BYTES, MAX_QUEUE_BYTES) };
    }
    case 'qdisc': {
      const discipline = QUEUE_DISCIPLINES.find((name) => name === written);
      if (discipline === undefined) {
        refuse(text, `"${part}": there are ${QUEUE_DISCIPLINES.join(', ')}`);
      }
      return { discipline };
    }
    case 'target':
      return { targetMs: delayMs('targetMs', MIN_TARGET_MS) };
    case 'jitter':
      return { jitter: { shape: 'uniform', spreadMs: delayMs('jitter', 0) } };
    case '':
      break;
    default:
      refuse(text, `"${part}": there are q, qdisc, target and jitter`);
  }
  if (part === 'ecn') return { ecn: true };
  if (rateUnit !== undefined) {
    const rateBps = Math.round(value * rateUnit);
    return { rateBps: inRange(text, 'rateBps', rateBps, MIN_RATE_BPS, MAX_RATE_BPS) };
  }
  if (delayUnit !== undefined) return { delayMs: delayMs('delayMs', 0) };
  if (unit === '%') return { lossRatio: inRange(text, 'loss in percent', value, 0, 100) / 100 };
  refuse(text, `"${part}" is neither a rate, a delay, a loss nor a queue size`);
}

function queueOf(text: string, { discipline, targetMs, ecn }: Found): QueueSpec | undefined {
  if (discipline !== undefined && discipline !== 'droptail') {
    return {
      discipline,
      ...(targetMs === undefined ? {} : { targetMs }),
      ...(ecn === undefined ? {} : { ecn }),
    };
  }
  if (targetMs !== undefined) refuse(text, 'target needs a qdisc that has one, such as qdisc=pie');
  if (ecn !== undefined) refuse(text, 'ecn needs a qdisc that marks, such as qdisc=pie');
  return undefined;
}

/**
 * Reads `RATE,DELAY[,LOSS%][,q=SIZE][,qdisc=NAME][,target=TIME][,ecn][,jitter=TIME]`, e.g.
 * `600kbit,150ms,1%,q=60kB` or `5mbit,10ms,qdisc=fq_pie,target=5ms`; the parts may come in any order. Units:
 * bit, kbit, mbit, gbit (decimal); us, ms, s (one-way delay; maximum jitter); %; B, kB, MB.
 * @throws LabError BAD_OPTION with the part
 */
export function parsePathSpec(text: string): PathSpec {
  const found: Found = {};
  for (const part of text.split(',').map((piece) => piece.trim())) {
    const parsed = parsePart(text, part);
    const twice = Object.keys(parsed).find((name) => name in found);
    if (twice !== undefined) refuse(text, `${twice} is given twice`);
    Object.assign(found, parsed);
  }
  const queue = queueOf(text, found);
  const defaultBytes = scenarioLimitBytes(queue?.discipline ?? 'droptail');
  const { rateBps, delayMs, lossRatio = 0, queueBytes = defaultBytes, jitter } = found;
  if (rateBps === undefined) refuse(text, 'the rate is missing');
  if (delayMs === undefined) refuse(text, 'the delay is missing');
  return {
    rateBps,
    delayMs,
    lossRatio,
    queueBytes,
    ...(queue === undefined ? {} : { queue }),
    ...(jitter === undefined ? {} : { jitter }),
  };
}

/**
 * A multihomed client with one path a specification: `path1`, `path2`, ...
 * @throws LabError BAD_OPTION for no path, or too many
 */
export function pathTopology(specs: readonly PathSpec[]): Topology {
  if (specs.length < 1 || specs.length > MAX_PATHS) {
    const count = String(specs.length);
    throw new LabError('BAD_OPTION', `${count} paths: a lab has 1 to ${MAX_PATHS}`);
  }
  return expandTopology({
    kind: 'multihomed',
    paths: specs.map((spec, index) => {
      const direction = { ...spec, queue: spec.queue ?? { discipline: 'droptail' as const } };
      return { id: `path${index + 1}`, down: direction, up: direction };
    }),
  });
}
