import { carriageName, readQuantity } from '../../scenario';
import { isNumeric, type Axis } from './axis';
import type { SessionMetrics } from './session-row';
import type { SweepPlayer } from './sweep-player';

/** One session of a sweep: plain data, which any thread or machine may simulate. */
export interface SweepJob {
  key: string;
  /** Number of the point, from 0; sessions of one point differ only in player, transport and seed. */
  point: number;
  /** The scenario's file. */
  file: string;
  /** Its parameters at this point, in the order of the sweep. */
  set: readonly { path: string; value: string }[];
  durationMs?: number;
  player: SweepPlayer;
  scheduler: string;
  congestion?: string;
  seed: number;
}

/** A column of a table: its values in row order. */
export type Column =
  | { name: string; type: 'STRING'; data: (string | null)[] }
  | { name: string; type: 'DOUBLE'; data: (number | null)[] }
  | { name: string; type: 'INT32'; data: number[] }
  | { name: string; type: 'INT64'; data: bigint[] }
  | { name: string; type: 'BOOLEAN'; data: boolean[] };

export interface SweepRow {
  job: SweepJob;
  metrics: SessionMetrics;
}

/** `decisions/two-unequal` for a file below a folder `scenarios`; else the file's name. */
const scenarioName = (file: string): string =>
  file.replace(/^.*\/scenarios\/|^.*\//, '').replace(/\.ya?ml$/i, '');

const distinct = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** A parameter as numbers in its base unit, or as written. */
function parameterColumn(rows: readonly SweepRow[], path: string, isNumeric: boolean): Column {
  const texts = rows.map(({ job }) => job.set.find((one) => one.path === path)?.value ?? null);
  if (!isNumeric) return { name: path, type: 'STRING', data: texts };
  const data = texts.map((text) => (text === null ? null : (readQuantity(text)?.value ?? null)));
  return { name: path, type: 'DOUBLE', data };
}

/**
 * One row per session, as columns: its identity, then its parameters (bit/s, ms, bytes, fractions of 1), then
 * its metrics. Types do not depend on the sessions, so that the tables of shards fit together.
 * @param axes of the whole sweep
 */
export function sweepColumns(rows: readonly SweepRow[], axes: readonly Axis[]): Column[] {
  const texts = (name: string, value: (job: SweepJob) => string | null): Column => ({
    name,
    type: 'STRING',
    data: rows.map(({ job }) => value(job)),
  });
  const metrics = distinct(rows.map((row) => Object.keys(row.metrics)));
  return [
    texts('session', ({ key }) => key),
    { name: 'simulated', type: 'BOOLEAN', data: rows.map(() => true) },
    texts('scenario', ({ file }) => scenarioName(file)),
    { name: 'point', type: 'INT32', data: rows.map(({ job }) => job.point) },
    texts('player', ({ player }) => player.id),
    texts('rule', ({ player }) => player.rule),
    texts('over', ({ player: { carriage } }) => carriageName(carriage)),
    texts('scheduler', ({ scheduler }) => scheduler),
    texts('congestion', ({ congestion }) => congestion ?? null),
    { name: 'seed', type: 'INT64', data: rows.map(({ job }) => BigInt(job.seed)) },
    ...axes.map((axis) => parameterColumn(rows, axis.path, isNumeric(axis))),
    ...metrics.map((name): Column => ({
      name,
      type: 'DOUBLE',
      data: rows.map((row) => row.metrics[name] ?? null),
    })),
  ];
}
