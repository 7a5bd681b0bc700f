import { expect, it, vi } from 'vitest';
import { embed } from './embed';

it('the latest choice of a policy counts, whichever is loaded first', async () => {
  const setPolicy = vi.fn();
  const inner = {
    setPolicy,
    snapshot: vi.fn<() => never>(),
    subscribe: () => () => undefined,
    destroy: () => undefined,
  };
  const { multipath } = embed({}, () => inner);
  await Promise.all([multipath.setPolicy('metered'), multipath.setPolicy(undefined)]);
  expect(setPolicy.mock.calls).toEqual([[undefined]]);
  await multipath.setPolicy('metered');
  expect(setPolicy.mock.lastCall).toEqual(['metered']);
});
