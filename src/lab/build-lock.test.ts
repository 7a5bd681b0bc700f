import { expect, it } from 'vitest';
import { withLock } from './build-lock';

it('admits one worker at a time and reports that another waits', async () => {
  const key = `test-${process.pid}`;
  const order: string[] = [];
  let openGate = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const first = withLock(key, async () => {
    order.push('first in');
    await gate;
    order.push('first out');
  });
  await expect.poll(() => order).toEqual(['first in']);
  const second = withLock(
    key,
    () => Promise.resolve(order.push('second in')),
    () => {
      order.push('second waits');
      openGate();
    },
  );
  await Promise.all([first, second]);
  expect(order).toEqual(['first in', 'second waits', 'first out', 'second in']);
});

it('is released after a failure', async () => {
  const key = `test-failure-${process.pid}`;
  await expect(withLock(key, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withLock(key, () => Promise.resolve('yes'))).resolves.toBe('yes');
});
