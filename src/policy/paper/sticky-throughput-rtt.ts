import { formatDuration } from '../../core';
import { notFaster } from './sticky-throughput';
import {
  defaultStickyConfig,
  stickyLimits,
  stickyPolicy,
  type Objection,
  type StickyConfig,
} from './sticky-path';

export interface StickyThroughputRttConfig extends StickyConfig {
  /**
   * The paper prints the condition as rtt_i < rtt_j (the new path is the longer one). Its analysis one
   * paragraph earlier finds underflow likely on exactly these switches. False, the default: the new path must
   * be the shorter one.
   */
  rttAsPrinted: boolean;
}

const wrongRtt: Objection<StickyThroughputRttConfig> = (from, to, { rttAsPrinted }) => {
  if (from.rttMs === undefined || to.rttMs === undefined) {
    return `the round trip of ${to.rttMs === undefined ? to.pathId : from.pathId} is not known`;
  }
  if (rttAsPrinted ? from.rttMs < to.rttMs : to.rttMs < from.rttMs) return undefined;
  const than = `(${formatDuration(to.rttMs)} against ${formatDuration(from.rttMs)})`;
  return `${to.pathId}'s round trip is not ${rttAsPrinted ? 'longer' : 'shorter'} ${than}`;
};

/**
 * TR-STY (Nagayama et al., section V, strategy iii): commits to path j only if it is faster and
 * its round trip is shorter. The buffer underflows in proportion to rtt_j / rtt_i.
 */
export const stickyThroughputRttPolicy = stickyPolicy<StickyThroughputRttConfig>({
  name: 'sticky-throughput-rtt',
  summary: 'One network until it gets congested, then a faster, nearer one (TR-STY)',
  defaults: { ...defaultStickyConfig, rttAsPrinted: false },
  limits: stickyLimits,
  objection: (from, to, config) => notFaster(from, to, config) ?? wrongRtt(from, to, config),
});
