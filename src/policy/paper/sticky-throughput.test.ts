import { describe, expect, test } from 'vitest';
import { stickyThroughputPolicy } from './sticky-throughput';
import { path, PolicyDriver } from '../testing/observations';

const near = (rateBps: number) => path('near', rateBps, { rcvRttMs: 20 });
const far = (rateBps: number) => path('far', rateBps, { rcvRttMs: 60 });
const farther = (rateBps: number) => path('farther', rateBps, { rcvRttMs: 80 });

describe('TP-STY', () => {
  test('does not move to a slower path: it only helps until the congestion is over', () => {
    const driver = new PolicyDriver(stickyThroughputPolicy);
    driver.run(60, [near(4e6), far(1e6)]);
    expect(driver.run(20, [near(1.2e6), far(1e6)])).toEqual(['near', 'far']);
    expect(driver.reason).toContain('near is congested; uses near and far but does not move');
    expect(driver.run(30, [near(4e6), far(1e6)])).toEqual(['near']);
  });

  test('moves to the first faster one in the order of round trips', () => {
    const driver = new PolicyDriver(stickyThroughputPolicy);
    driver.run(60, [near(4e6), far(1e6), farther(6e6)]);
    expect(driver.run(20, [near(1.2e6), far(1e6), farther(6e6)])).toEqual(['farther']);
    expect(driver.run(100, [near(4e6), far(1e6), farther(6e6)])).toEqual(['farther']);
  });

  test('moves once the helper proves to be faster', () => {
    const driver = new PolicyDriver(stickyThroughputPolicy);
    const unknown = path('far', 0, { rcvRttMs: 60, throughputBps: undefined, confidence: 0 });
    driver.run(60, [near(4e6), unknown]);
    expect(driver.run(20, [near(1.2e6), unknown])).toEqual(['near', 'far']);
    expect(driver.reason).toContain('what far carries is not known');
    expect(driver.step([near(1.2e6), far(3e6)])).toEqual(['far']);
  });

  test('a lost path carries nothing: any other is faster', () => {
    const driver = new PolicyDriver(stickyThroughputPolicy);
    driver.run(10, [near(4e6), far(1e6)]);
    expect(driver.run(2, [{ ...near(4e6), state: 'lost' }, far(1e6)])).toEqual(['far']);
    expect(driver.run(50, [near(4e6), far(1e6)])).toEqual(['far']);
  });
});
