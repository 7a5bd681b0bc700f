import { describe, expect, test } from 'vitest';
import { stickyGreedyPolicy } from './sticky-greedy';
import { path, PolicyDriver } from '../testing/observations';

const near = (rateBps: number) => path('near', rateBps, { rcvRttMs: 20 });
const far = (rateBps: number) => path('far', rateBps, { rcvRttMs: 60 });
const farther = (rateBps: number) => path('farther', rateBps, { rcvRttMs: 80 });

describe('GR-STY', () => {
  test('starts on the shortest round trip, however slow, and stays', () => {
    const driver = new PolicyDriver(stickyGreedyPolicy);
    expect(driver.step([far(9e6), near(1e6)])).toEqual(['near']);
    expect(driver.reason).toBe('starts on near: shortest round trip (20 ms)');
    expect(driver.run(100, [far(9e6), near(1e6)])).toEqual(['near']);
    // A path that becomes nearer is not congestion.
    expect(driver.run(100, [path('far', 9e6, { rcvRttMs: 5 }), near(1e6)])).toEqual(['near']);
  });

  test('moves to the next round trip when congested, even to a slower path, and does not return', () => {
    const driver = new PolicyDriver(stickyGreedyPolicy);
    driver.run(60, [near(4e6), farther(6e6), far(1e6)]);
    expect(driver.run(20, [near(1.2e6), farther(6e6), far(1e6)])).toEqual(['far']);
    expect(driver.run(300, [near(4e6), farther(6e6), far(1e6)])).toEqual(['far']);
    expect(driver.run(30, [near(4e6), farther(6e6), far(0.2e6)])).toEqual(['near']);
    expect(driver.reason).toMatch(/^(moved to near: far is congested|stays on near)/);
  });

  test('a dip shorter than a second is not congestion', () => {
    const driver = new PolicyDriver(stickyGreedyPolicy);
    driver.run(60, [near(4e6), far(4e6)]);
    for (let dip = 0; dip < 10; dip += 1) {
      expect(driver.run(3, [near(0.5e6), far(4e6)])).toEqual(['near']);
      expect(driver.run(20, [near(4e6), far(4e6)])).toEqual(['near']);
    }
  });

  test('moves at once when its path is lost, and stays when that returns', () => {
    const driver = new PolicyDriver(stickyGreedyPolicy);
    driver.run(20, [near(4e6), far(2e6)]);
    expect(driver.step([{ ...near(0), state: 'lost' }, far(2e6)])).toEqual(['far']);
    expect(driver.reason).toBe('moved to far: near is gone');
    expect(driver.run(50, [near(4e6), far(2e6)])).toEqual(['far']);
  });

  test('a handshake gives the round trip of a path that has carried nothing', () => {
    const driver = new PolicyDriver(stickyGreedyPolicy);
    const opened = (id: string, minRttMs: number): ReturnType<typeof path> =>
      path(id, 0, { rcvRttMs: undefined, minRttMs });
    expect(driver.step([opened('a', 100), opened('b', 50)])).toEqual(['b']);
    expect(driver.reason).toBe('starts on b: shortest round trip (50 ms)');
  });

  test('a choice without round trips is repeated when they are known', () => {
    const driver = new PolicyDriver(stickyGreedyPolicy);
    const blind = { rcvRttMs: undefined };
    driver.step([path('a', 1e6, blind), path('b', 1e6, blind)]);
    expect(driver.step([path('a', 1e6, { rcvRttMs: 90 }), path('b', 1e6)])).toEqual(['b']);
  });
});
