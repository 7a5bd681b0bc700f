import { formatBitRate } from '../../core';
import {
  defaultStickyConfig,
  stickyLimits,
  stickyPolicy,
  type Objection,
  type StickyConfig,
} from './sticky-path';

/** Objects unless lambda_i / lambda_j < 1 for a switch from path i to path j. */
export const notFaster: Objection<StickyConfig> = (from, to) => {
  if (from.rateBps < to.rateBps) return undefined;
  if (to.rateBps <= 0) return `what ${to.pathId} carries is not known`;
  return `${to.pathId} is not faster (${formatBitRate(to.rateBps)} against ${formatBitRate(from.rateBps)})`;
};

/**
 * TP-STY (Nagayama et al., section V, strategy ii): commits to path j only if it is faster than
 * the path i that it would replace. Pictures are discarded in proportion to lambda_i / lambda_j.
 */
export const stickyThroughputPolicy = stickyPolicy({
  name: 'sticky-throughput',
  summary: 'One network until it gets congested, then a faster one (TP-STY)',
  defaults: defaultStickyConfig,
  limits: stickyLimits,
  objection: notFaster,
});
