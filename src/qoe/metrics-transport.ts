import { defineMetrics } from './define-metric';
import type { SessionSummary } from './summary-types';

/** Without path samples nothing is known of the paths. */
const overPaths = (summary: SessionSummary, value: number | null): number | null =>
  summary.transport !== null && summary.paths.length > 0 ? value : null;

/** Metrics of the paths: switches, head-of-line blocked bytes, bytes fetched more than once. */
export const transportMetrics = defineMetrics([
  {
    name: 'pathSwitches',
    label: 'Path switches',
    unit: '1',
    better: 'none',
    definition: 'changes of the set of carrying paths; a first joining is none',
    compute: ({ summary }) => overPaths(summary, summary.pathSwitches),
  },
  {
    name: 'holMeanBytes',
    label: 'Out-of-order bytes, mean',
    unit: 'byte',
    better: 'lower',
    definition: 'received but waiting for an earlier byte on another path; by time',
    compute: ({ summary }) => overPaths(summary, summary.holBytes.mean),
  },
  {
    name: 'holMaxBytes',
    label: 'Out-of-order bytes, most',
    unit: 'byte',
    better: 'lower',
    definition: 'the most of the same',
    compute: ({ summary }) => overPaths(summary, summary.holBytes.max),
  },
  {
    name: 'twiceShare',
    label: 'Bytes fetched twice',
    unit: '1',
    isShare: true,
    better: 'lower',
    definition: 'of the bytes fetched in ranges, those that another request had delivered already',
    compute: ({ summary: { rangeBytes } }) => rangeBytes && rangeBytes.twice / rangeBytes.received,
  },
  {
    name: 'unreadShare',
    label: 'Bytes fetched in vain',
    unit: '1',
    isShare: true,
    better: 'lower',
    definition: 'of the bytes fetched in ranges, those ahead of a request that never came',
    compute: ({ summary: { rangeBytes } }) => rangeBytes && rangeBytes.unread / rangeBytes.received,
  },
]);
