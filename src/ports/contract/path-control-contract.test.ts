import { describe, expect, it } from 'vitest';
import { createFakePathControl } from '../testing';
import { pathControlContract } from '.';

pathControlContract({ describe, it, expect }, 'in-memory fake', () =>
  Promise.resolve({
    control: createFakePathControl(['wlan0', 'wwan0']),
    paths: ['wlan0', 'wwan0'],
    dispose: () => Promise.resolve(),
  }),
);

describe('the fake without the privilege', () => {
  it('refuses with the reason', async () => {
    const control = createFakePathControl(['wlan0'], { available: false, reason: 'no helper' });
    await expect(control.setState('wlan0', 'backup')).rejects.toMatchObject({
      code: 'DENIED',
      message: 'no helper',
    });
  });
});
