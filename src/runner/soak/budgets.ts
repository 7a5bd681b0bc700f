import type { SoakSample } from './sample';
import type { ProcessFigures, SoakRole } from './processes';
import { soakRoles } from './processes';
import { theilSen, windowFloors, type TrendPoint, type Trend } from './trend';

const MB = 1e6;
/** Growth an hour that a day of playing can bear. Counts must not grow at all. */
const MEMORY_BUDGET_MB = 1;
const COUNT_BUDGET = 1;
/** A viewer's log, compressed. */
export const LOG_BUDGET_MB = 10;
/** The measured time is divided into this many windows; each gives its least value. */
const WINDOWS = 30;
/** Least width of a window: it holds four samples of the processes. */
const MIN_WINDOW_MS = 60_000;
/** Fewer give no usable interval. */
const MIN_WINDOWS = 8;

/** `undecided`: the slope is over the budget, but its interval is not. `short`: too few windows. */
export type BudgetVerdict = 'ok' | 'over' | 'undecided' | 'short';

/** One figure of one process over the run. */
export interface SoakFigure {
  role: SoakRole;
  figure: string;
  unit: 'MB' | '';
  /** Value of the first window; `last`: of the last one. */
  first: number;
  last: number;
  trend?: Trend;
  /** Growth an hour; absent for figures that only explain others. */
  budget?: number;
  verdict?: BudgetVerdict;
}

interface FigureKind {
  figure: string;
  unit: SoakFigure['unit'];
  budget?: number;
  of: (sample: SoakSample, role: SoakRole) => number | undefined;
}

const process = (
  figure: string,
  unit: FigureKind['unit'],
  budget: number,
  read: (figures: ProcessFigures) => number,
): FigureKind => ({
  figure,
  unit,
  budget,
  of: (sample, role) => {
    const figures = sample.processes[role];
    return figures && read(figures);
  },
});

/** Memory that a forced collection leaves. */
const live: FigureKind = {
  figure: 'live heap',
  unit: 'MB',
  budget: MEMORY_BUDGET_MB,
  of: (sample, role) => {
    const inside = insideOf(sample, role);
    return inside && inside.heapBytes / MB;
  },
};

/** The part of the live heap that V8's compiled code takes; it grows without a leak of ours. */
const compiled: FigureKind = {
  figure: 'compiled code',
  unit: 'MB',
  of: ({ agent }, role) =>
    role === 'agent' && agent !== undefined ? agent.compiledBytes / MB : undefined,
};

/** A part of the memory, without a budget: it shows where growth of the whole came from. */
const part = (figure: string, read: (inside: InsideFigures) => number): FigureKind => ({
  figure,
  unit: 'MB',
  of: (sample, role) => {
    const inside = insideOf(sample, role);
    return inside && read(inside) / MB;
  },
});

/** The browser's own objects that a forced collection of the page leaves. */
const dom: FigureKind = {
  figure: 'live DOM',
  unit: 'MB',
  of: ({ page }, role) => {
    const bytes = pageOnly(role, page?.domBytes);
    return bytes && bytes / MB;
  },
};

const kinds: readonly FigureKind[] = [
  process('memory', 'MB', MEMORY_BUDGET_MB, ({ memoryBytes }) => memoryBytes / MB),
  process('descriptors', '', COUNT_BUDGET, ({ descriptors }) => descriptors),
  process('threads', '', COUNT_BUDGET, ({ threads }) => threads),
  {
    figure: 'timers',
    unit: '',
    budget: COUNT_BUDGET,
    of: (sample, role) => insideOf(sample, role)?.timers,
  },
  part('heap size', ({ heapSizeBytes }) => heapSizeBytes),
  part('buffers', ({ externalBytes }) => externalBytes),
  {
    figure: 'young heap',
    unit: 'MB',
    of: ({ agent }, role) =>
      role === 'agent' && agent !== undefined ? agent.youngBytes / MB : undefined,
  },
  { figure: 'nodes', unit: '', of: ({ page }, role) => pageOnly(role, page?.nodes) },
  { figure: 'listeners', unit: '', of: ({ page }, role) => pageOnly(role, page?.listeners) },
];

interface InsideFigures {
  timers: number;
  heapBytes: number;
  heapSizeBytes: number;
  externalBytes: number;
}

/** Figures from inside of a process. */
function insideOf({ agent, page }: SoakSample, role: SoakRole): InsideFigures | undefined {
  if (role === 'agent') return agent;
  return role === 'renderer' ? page : undefined;
}

function pageOnly(role: SoakRole, value: number | undefined): number | undefined {
  return role === 'renderer' ? value : undefined;
}

export function verdictOf(
  trend: Trend | undefined,
  windows: number,
  budget: number,
): BudgetVerdict {
  if (trend === undefined || windows < MIN_WINDOWS) return 'short';
  if (trend.perHour <= budget) return 'ok';
  return trend.low > budget ? 'over' : 'undecided';
}

/** Samples of a run: at all times, and after forced collections. */
export interface SoakReadings {
  samples: readonly SoakSample[];
  collected: readonly SoakSample[];
}

/**
 * Judges what was read after the warm-up. A renderer's figures begin anew with each page, so they count from
 * a warm-up after the last reload.
 */
export function judgeSoak(
  { samples, collected }: SoakReadings,
  warmUpMs: number,
  lastReloadMs: number,
): SoakFigure[] {
  return soakRoles.flatMap((role) => {
    const fromMs = warmUpMs + (role === 'renderer' ? lastReloadMs : 0);
    const judge = (from: readonly SoakSample[], kind: FigureKind): SoakFigure[] => {
      const all = from.flatMap((sample): TrendPoint[] => {
        const value = kind.of(sample, role);
        return value === undefined ? [] : [{ atMs: sample.atMs, value }];
      });
      const measured = all.filter(({ atMs }) => atMs >= fromMs);
      // A figure that was read in the warm-up only is listed as too short.
      const points = measured.length > 0 ? measured : all.slice(-1);
      const lengthMs = (points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0);
      const floors = windowFloors(points, Math.max(MIN_WINDOW_MS, lengthMs / WINDOWS));
      return points.length === 0 ? [] : [judgePoints(role, kind, floors)];
    };
    return [
      ...kinds.flatMap((kind) => judge(samples, kind)),
      ...judge(collected, live),
      ...judge(collected, compiled),
      ...judge(collected, dom),
    ];
  });
}

function judgePoints(
  role: SoakRole,
  { figure, unit, budget }: FigureKind,
  floors: readonly TrendPoint[],
): SoakFigure {
  const trend = theilSen(floors);
  return {
    role,
    figure,
    unit,
    first: floors[0]?.value ?? 0,
    last: floors.at(-1)?.value ?? 0,
    ...(trend === undefined ? {} : { trend }),
    ...(budget === undefined ? {} : { budget, verdict: verdictOf(trend, floors.length, budget) }),
  };
}
