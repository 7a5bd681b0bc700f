/**
 * The queue disciplines: the table for the scenario format, the simulator, the link emulator and the kernel's qdiscs.
 * `scripts/registries.mjs` writes the emulator's part (`native/link/src/queue_table.generated.h`).
 */

/** The queue of the link; absent fields have the discipline's defaults. */
export interface QueueSpec extends QueueSettings {
  discipline: QueueDiscipline;
  /** Limit in packets; applies beside the limit in bytes. */
  limitPackets?: number;
}

/** Settings of a queue. Each discipline reads some of them. */
export interface QueueSettings {
  /** Target delay of an AQM; PIE 15 ms, CoDel 5 ms. */
  targetMs?: number;
  /** CoDel: interval, 100 ms. */
  intervalMs?: number;
  /** PIE: T_UPDATE, 15 ms. */
  updateMs?: number;
  /** PIE: duration of the burst allowed after idle time, 150 ms. */
  burstMs?: number;
  /** Mark packets of ECN senders instead of dropping them. Default false. */
  ecn?: boolean;
  /** PIE: above this drop probability ECN packets are dropped too; 0.1. */
  ecnThreshold?: number;
  /** FQ: number of flow queues; 1024. */
  flows?: number;
  /** FQ: bytes a flow may send per round; 1514. */
  quantumBytes?: number;
}

/** Values of a setting in scenario files, with their bounds. */
type SettingValues =
  | { kind: 'time' | 'size'; min: string; max: string }
  | { kind: 'count'; min: number; max: number }
  | { kind: 'ratio' | 'flag' };

/** A setting outside of TypeScript: its names and values. */
interface QueueSetting {
  /** In scenario files. */
  written: string;
  /** Argument of the link emulator; its name has the unit. */
  argument: string;
  /** Option of Linux's qdiscs; absent where Linux has none. */
  option?: string;
  values: SettingValues;
}

const time = (min: string, max = '10s') => ({ kind: 'time', min, max }) as const;
const FLAG = { kind: 'flag' } as const;
const RATIO = { kind: 'ratio' } as const;
const FLOW_COUNT = { kind: 'count', min: 1, max: 65_536 } as const;
const QUANTUM = { kind: 'size', min: '256B', max: '1MB' } as const;

/** Every setting of a queue, in the order of the scenario format. */
export const QUEUE_SETTINGS = {
  targetMs: { written: 'target', argument: 'target_us', option: 'target', values: time('1us') },
  intervalMs: {
    written: 'interval',
    argument: 'interval_us',
    option: 'interval',
    values: time('1ms'),
  },
  updateMs: { written: 'update', argument: 'update_us', option: 'tupdate', values: time('1ms') },
  burstMs: { written: 'burst', argument: 'burst_us', values: time('0ms') },
  ecn: { written: 'ecn', argument: 'ecn', option: 'ecn', values: FLAG },
  ecnThreshold: { written: 'ecnThreshold', argument: 'ecn_threshold', values: RATIO },
  flows: { written: 'flows', argument: 'flows', option: 'flows', values: FLOW_COUNT },
  quantumBytes: { written: 'quantum', argument: 'quantum', option: 'quantum', values: QUANTUM },
} as const satisfies Record<keyof QueueSettings, QueueSetting>;

/** The settings with their names. */
export const queueSettingEntries = Object.entries(QUEUE_SETTINGS) as readonly {
  [K in keyof QueueSettings]-?: [K, (typeof QUEUE_SETTINGS)[K]];
}[keyof QueueSettings][];

/** Defaults of RFC 8033 (PIE), section 4. */
const PIE = { targetMs: 15, updateMs: 15, burstMs: 150, ecn: false, ecnThreshold: 0.1 };
/** Defaults of RFC 8289 (CoDel), section 5.3. */
const CODEL = { targetMs: 5, intervalMs: 100, ecn: false };
/** Defaults of RFC 8290 (FQ-CoDel), section 5.2. */
const FLOWS = { flows: 1024, quantumBytes: 1514 };
/** A default for every setting, for code that reads one without knowing the discipline. */
const ANY = { ...PIE, ...CODEL, ...FLOWS };

/** Droptail limit where none is given: 40 full packets, 96 ms at 5 Mbit/s. */
export const DROPTAIL_BYTES = 60_000;
/** Limit of an AQM in a scenario: 1000 full packets, so that the AQM drops and not the limit. */
const AQM_BYTES = 1_500_000;

/** Limits of the kernel's qdiscs: `limit` of a single queue; `limit` and `memory_limit` of fq_codel and fq_pie. */
const SINGLE = { packets: 1_000 };
const FAIR = { packets: 10_240, bytes: 32e6 };

interface Discipline {
  /** Limits where neither bytes nor packets are given; absent: without limit. Scenarios give one: `scenarioLimitBytes`. */
  limit: { bytes?: number; packets?: number };
  /** The settings that it reads, with their defaults. One with `ecn` marks. */
  settings: QueueSettings;
  /** Linux's qdisc with this behaviour; undefined where Linux has none. */
  qdisc: string | undefined;
}

const DISCIPLINES = {
  droptail: { limit: { bytes: DROPTAIL_BYTES }, settings: {}, qdisc: 'pfifo' },
  pie: { limit: SINGLE, settings: PIE, qdisc: 'pie' },
  fq_pie: { limit: FAIR, settings: { ...PIE, ...FLOWS }, qdisc: 'fq_pie' },
  codel: { limit: SINGLE, settings: CODEL, qdisc: 'codel' },
  fq_codel: { limit: FAIR, settings: { ...CODEL, ...FLOWS }, qdisc: 'fq_codel' },
} as const satisfies Record<string, Discipline>;

export type QueueDiscipline = keyof typeof DISCIPLINES;
export const QUEUE_DISCIPLINES = Object.keys(DISCIPLINES) as readonly QueueDiscipline[];

/** The row of a discipline. */
export const queueDiscipline = (name: QueueDiscipline): Discipline => DISCIPLINES[name];

/** A queue with every field but its limits. */
export type FullQueueSpec = QueueSpec & typeof ANY;

/** Fills in the defaults of the queue's discipline. */
export function withQueueDefaults(spec: QueueSpec): FullQueueSpec {
  return { ...ANY, ...DISCIPLINES[spec.discipline].settings, ...spec };
}

/** Limits of a queue; at least one of the two is finite. */
export function queueLimit(
  { discipline, limitPackets }: QueueSpec,
  queueBytes: number | undefined,
): { bytes: number; packets: number } {
  const isGiven = queueBytes !== undefined || limitPackets !== undefined;
  const given = { bytes: queueBytes, packets: limitPackets };
  const { bytes = Infinity, packets = Infinity } = isGiven
    ? given
    : queueDiscipline(discipline).limit;
  return { bytes, packets };
}

/** Limit in bytes of a queue in a scenario that gives none. */
export const scenarioLimitBytes = (name: QueueDiscipline): number =>
  queueDiscipline(name).settings.targetMs === undefined ? DROPTAIL_BYTES : AQM_BYTES;
