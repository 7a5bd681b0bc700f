import { describe, expect, it } from 'vitest';
import { interruptible } from './interrupt';

const handlers = (): number => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');

describe('interruptible', () => {
  it('aborts at the first signal and leaves the second one to its default', async () => {
    const before = handlers();
    await interruptible(async (signal) => {
      expect(handlers()).toBe(before + 2);
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      process.emit('SIGINT', 'SIGINT');
      await aborted;
      expect(handlers()).toBe(before);
    });
  });

  it('removes its handlers when the work is done or fails', async () => {
    const before = handlers();
    expect(await interruptible(() => Promise.resolve(7))).toBe(7);
    await expect(interruptible(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(handlers()).toBe(before);
  });
});
