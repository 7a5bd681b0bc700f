import { defaultStickyConfig, stickyLimits, stickyPolicy } from './sticky-path';

/**
 * GR-STY (papers/sticky-path-switching, section V, strategy i): whichever path the default scheduler turns to when
 * the present one is congested is stuck to until it is congested itself.
 */
export const stickyGreedyPolicy = stickyPolicy({
  name: 'sticky-greedy',
  summary: 'One network until it gets congested, then the next (GR-STY)',
  defaults: defaultStickyConfig,
  limits: stickyLimits,
  objection: () => undefined,
});
