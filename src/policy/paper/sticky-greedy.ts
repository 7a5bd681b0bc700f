import { defaultStickyConfig, stickyLimits, stickyPolicy } from './sticky-path';

/**
 * GR-STY (Nagayama et al., section V, strategy i). The default scheduler leaves a congested path
 * for another one; GR-STY stays on that one until it is congested itself.
 */
export const stickyGreedyPolicy = stickyPolicy({
  name: 'sticky-greedy',
  summary: 'One network until it gets congested (GR-STY)',
  defaults: defaultStickyConfig,
  limits: stickyLimits,
  objection: () => undefined,
});
