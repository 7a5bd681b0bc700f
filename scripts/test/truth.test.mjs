import { expect, it, vi } from 'vitest';
import { checkCongestionControls } from '../../src/lab';
import { checkKernel } from '../truth/kernel';
import { renderSection } from '../truth/table';

const measured = (name) => ({ name, goodputBps: 4e6, pathBps: [3e6, 2e6, 1e6] });

vi.mock('../../src/lab', async (original) => ({
  ...(await original()),
  checkCongestionControls: vi.fn(),
}));
vi.mock('../truth/run-in-sandbox', () => ({ runInSandbox: vi.fn((_, [name]) => measured(name)) }));
vi.mock('../truth/simulate-case', () => ({ simulateCase: ({ name }) => measured(name) }));

it('a congestion control that the kernel lacks refuses its own cases only, by name', async () => {
  vi.mocked(checkCongestionControls).mockImplementation(async ({ nodes }) => {
    const [{ congestionControl }] = nodes;
    if (congestionControl === 'bbr') throw new Error('the kernel does not have bbr');
  });
  const section = await checkKernel({ quick: true, progress: () => undefined });
  expect(section.refusal).toBeUndefined();
  expect(section.refused).toEqual([
    { what: '6 bbr', reason: 'the kernel does not have bbr' },
    { what: '4+3 bbr', reason: 'the kernel does not have bbr' },
  ]);
  const names = section.rows.map(({ what }) => what);
  expect(names).toContain('4+3 reno: goodput');
  expect(names).toContain('4: goodput');
  expect(names.some((what) => what.includes('bbr'))).toBe(false);
  expect(renderSection(section)).toContain('| 6 bbr |  |  |  |  | not run |');
});
