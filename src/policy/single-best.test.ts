import { expect, test } from 'vitest';
import { singleBestPolicy } from './single-best';
import { path, PolicyDriver } from './testing/observations';

const unknown = { confidence: 0, safeRateBps: 0 };

test('uses the fastest and keeps the others as backups', () => {
  const driver = new PolicyDriver(singleBestPolicy);
  expect(driver.step([path('wifi', 5e6), path('lte', 3e6)])).toEqual(['wifi']);
  expect(driver.last?.desired.get('lte')).toBe('backup');
  expect(driver.reason).toBe('wifi alone carries the stream: the fastest (5.0 Mbit/s)');
});

test('tries unknown paths beside the best, once, and only while a request is outstanding', () => {
  const driver = new PolicyDriver(singleBestPolicy);
  const paths = [path('wifi', 5e6), path('lte', 0, unknown)];
  expect(driver.step(paths)).toEqual(['wifi', 'lte']);
  expect(driver.reason).toContain('trying lte');
  expect(driver.run(100, paths, { requests: [] })).toEqual(['wifi', 'lte']);
  expect(driver.run(35, paths)).toEqual(['wifi']);
  expect(driver.run(200, paths)).toEqual(['wifi']);
  // Gone and back: it may be another network.
  driver.step([path('wifi', 5e6), path('lte', 0, { ...unknown, state: 'lost' })]);
  expect(driver.step(paths)).toEqual(['wifi', 'lte']);
});

test('moves if the other has been clearly faster for a while, not for noise or a burst', () => {
  const driver = new PolicyDriver(singleBestPolicy);
  driver.step([path('wifi', 5e6), path('lte', 3e6)]);
  expect(driver.run(100, [path('wifi', 5e6), path('lte', 5.9e6)])).toEqual(['wifi']);
  for (let burst = 0; burst < 5; burst += 1) {
    expect(driver.run(15, [path('wifi', 5e6), path('lte', 20e6)])).toEqual(['wifi']);
    expect(driver.run(5, [path('wifi', 5e6), path('lte', 3e6)])).toEqual(['wifi']);
  }
  expect(driver.run(25, [path('wifi', 5e6), path('lte', 7e6)])).toEqual(['lte']);
});

test('lets a connecting one join at once, and does not call a lone one the fastest', () => {
  const driver = new PolicyDriver(singleBestPolicy);
  const lte = path('lte', 0, { ...unknown, state: 'connecting' });
  expect(driver.step([path('wifi', 5e6), lte])).toEqual(['wifi', 'lte']);
  expect(driver.reason).toBe('wifi alone carries the stream: it is the only network (5.0 Mbit/s)');
  // A costly one is not opened for a trial.
  expect(driver.step([path('wifi', 5e6), { ...lte, metered: true }])).toEqual(['wifi']);
});

test('moves at once when its path is lost', () => {
  const driver = new PolicyDriver(singleBestPolicy);
  driver.step([path('wifi', 5e6), path('lte', 3e6)]);
  expect(driver.step([path('wifi', 5e6, { state: 'lost' }), path('lte', 3e6)])).toEqual(['lte']);
});

test('a lone path of unknown rate is simply used', () => {
  const driver = new PolicyDriver(singleBestPolicy);
  expect(driver.step([path('wifi', 0, unknown)])).toEqual(['wifi']);
  expect(driver.reason).not.toContain('kept');
});
