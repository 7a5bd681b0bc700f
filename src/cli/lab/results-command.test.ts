import { expect, it, vi } from 'vitest';
import { reportRuns } from './results-command';

it('does not write the report of several folders over the report of the first', async () => {
  const write = vi.fn(() => Promise.resolve(undefined));
  await expect(reportRuns(['runs/a', 'runs/b'], {}, write)).rejects.toThrow('--out');
  expect(write).not.toHaveBeenCalled();
  await reportRuns(['runs/a', 'runs/b'], { out: 'both' }, write);
  expect(write).toHaveBeenLastCalledWith(['runs/a', 'runs/b'], 'both', expect.anything());
  await reportRuns(['runs/a'], {}, write);
  expect(write).toHaveBeenLastCalledWith(['runs/a'], 'runs/a', expect.anything());
});
