import { expect, it } from 'vitest';
import { broughtBy } from './brought';

it('adds the subflows of a network, with its price where there is one', () => {
  const paths = [
    { id: 'wlan0', bytes: 1e9 },
    { id: 'wwan0', bytes: 2e9 },
    { id: 'wlan0>192.0.2.1', bytes: 5e9 },
    { id: 'eth0', bytes: 0 },
  ];
  expect(broughtBy(paths, [{ network: 'wwan0', metered: true, costPerGb: 3 }])).toEqual([
    { network: 'wlan0', bytes: 6e9, share: 0.75, cost: undefined },
    { network: 'wwan0', bytes: 2e9, share: 0.25, cost: 6 },
  ]);
});

it('is empty for a stream without path data', () => {
  expect(broughtBy([], [])).toEqual([]);
});
