import * as v from 'valibot';
import type { ReadShipped } from '../types';

/** Collections of measured rates in `scenarios/traces/sampled`. */
export const COLLECTIONS = ['fcc-fixed', 'ghent-4g', 'norway-3g'] as const;
export type CollectionName = (typeof COLLECTIONS)[number];

const schema = v.object({
  stepMs: v.number(),
  kbps: v.record(v.string(), v.array(v.number())),
});

export interface SampledTrace {
  name: string;
  stepMs: number;
  kbps: readonly number[];
}

/** @throws Error with the file's name */
export function readCollection(read: ReadShipped, name: CollectionName): SampledTrace[] {
  const file = `traces/sampled/${name}.json`;
  const parsed = v.safeParse(schema, JSON.parse(read(file)));
  if (!parsed.success) throw new Error(`${file}: ${parsed.issues[0].message}`);
  const { stepMs, kbps } = parsed.output;
  return Object.entries(kbps).map(([trace, rates]) => ({
    name: `${name}/${trace}`,
    stepMs,
    kbps: rates,
  }));
}
