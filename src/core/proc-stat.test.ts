import { expect, it } from 'vitest';
import { procStatField } from './proc-stat';

it('counts fields behind the name, which may hold spaces and parentheses', () => {
  const stat = '42 (a) b (c) S 7 42 42 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 98765 0';
  expect(procStatField(stat, 3)).toBe('S');
  expect(procStatField(stat, 4)).toBe('7');
  expect(procStatField(stat, 22)).toBe('98765');
  expect(procStatField('', 22)).toBeUndefined();
});
