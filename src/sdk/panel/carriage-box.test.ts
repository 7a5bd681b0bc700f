import { expect, it } from 'vitest';
import type { CarriageReport } from '../../core';
import { carriageLine } from './carriage-box';

const report: CarriageReport = {
  carriage: 'ranges',
  reason: 'wifi has room',
  networks: [],
  inOrderBytes: 0,
};

it('names the carriage, and the reason where that lasts', () => {
  expect(carriageLine(report)).toBe('Byte ranges over every network');
  expect(carriageLine({ ...report, carriage: 'single', reason: 'no second network' })).toBe(
    'One network. no second network',
  );
});

it('does not promise byte ranges where each object comes over one network', () => {
  const reason = 'Each object comes over one network: the server has no byte ranges.';
  expect(carriageLine({ ...report, isWhole: true, reason })).toBe(reason);
});
