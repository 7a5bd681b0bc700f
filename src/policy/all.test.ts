import { expect, test } from 'vitest';
import { allPolicy } from './all';
import { observation, path } from './testing/observations';

test('wants every path, including slow, lost and backup ones', () => {
  const paths = [
    path('wifi', 5e6),
    path('lte', 1e3, { state: 'backup', metered: true }),
    path('eth0', 0, { state: 'lost' }),
    path('usb0', 0, { state: 'closed' }),
  ];
  const { desired, reason } = allPolicy.decide(allPolicy.initial(), observation(0, paths));
  expect([...desired.values()]).toEqual(['active', 'active', 'active', 'active']);
  expect(reason).toBe('all networks carry the stream: wifi and lte');
});
