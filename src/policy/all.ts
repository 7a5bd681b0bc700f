import { nameList } from './choose';
import { definePolicy } from './define-policy';

/** Plain MPTCP: every path carries data, whatever its effect on the others. The baseline of comparisons. */
export const allPolicy = definePolicy<null, object>({
  name: 'all',
  summary: 'All networks, as plain MPTCP does',
  defaults: {},
  limits: {},
  start: () => null,
  rule: (memory, { paths, live }) => ({
    memory,
    active: paths.map(({ pathId }) => pathId),
    reason: `all networks carry the stream: ${nameList(live)}`,
  }),
});
