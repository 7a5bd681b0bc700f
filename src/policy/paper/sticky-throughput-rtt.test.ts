import { describe, expect, test } from 'vitest';
import { stickyThroughputRttPolicy } from './sticky-throughput-rtt';
import { path, PolicyDriver } from '../testing/observations';

const home = (rateBps: number, rcvRttMs = 20) => path('home', rateBps, { rcvRttMs });
const fast = (rcvRttMs: number) => path('fast', 6e6, { rcvRttMs });

/** Home starts as the nearest. Its round trip then grows to 50 ms and it gets congested. */
function congestedHome(fastRttMs: number, config = {}) {
  const driver = new PolicyDriver(stickyThroughputRttPolicy, config);
  driver.run(60, [home(4e6), fast(fastRttMs)]);
  driver.run(20, [home(1.2e6, 50), fast(fastRttMs)]);
  return driver;
}

describe('TR-STY', () => {
  test('moves to a path that is faster and nearer', () => {
    expect(congestedHome(40).active).toEqual(['fast']);
  });

  test('does not move to a faster path farther away; with the paper’s printed condition, only there', () => {
    const driver = congestedHome(80);
    expect(driver.active).toEqual(['home', 'fast']);
    expect(driver.reason).toContain("fast's round trip is not shorter (80 ms against 50 ms)");
    expect(driver.run(30, [home(4e6), fast(80)])).toEqual(['home']);
    expect(congestedHome(80, { rttAsPrinted: true }).active).toEqual(['fast']);
    expect(congestedHome(40, { rttAsPrinted: true }).active).toEqual(['home', 'fast']);
  });

  test('does not move to a slower path however near', () => {
    const driver = new PolicyDriver(stickyThroughputRttPolicy);
    const slow = path('slow', 1e6, { rcvRttMs: 30 });
    driver.run(60, [home(4e6), slow]);
    expect(driver.run(20, [home(1.2e6, 50), slow])).toEqual(['home', 'slow']);
    expect(driver.reason).toContain('slow is not faster');
  });

  test('without its path it uses one other path, until its own returns', () => {
    const driver = new PolicyDriver(stickyThroughputRttPolicy);
    const lost = { ...home(0), state: 'lost' as const };
    driver.run(20, [home(4e6), fast(60), path('b', 1e6, { rcvRttMs: 70 })]);
    for (const bRttMs of [70, 55, 65, 55]) {
      const paths = [lost, fast(60), path('b', 1e6, { rcvRttMs: bRttMs })];
      expect(driver.step(paths)).toEqual(['fast']);
    }
    expect(driver.run(2, [home(4e6), fast(60), path('b', 1e6)])).toEqual(['home']);
  });
});
