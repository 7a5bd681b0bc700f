import { describe, expect, test } from 'vitest';
import { pathUseDecisionPolicy } from './path-use-decision';
import { path, PolicyDriver } from '../testing/observations';

function after(wifiBps: readonly number[], lteBps: readonly number[], config = {}): string[] {
  const driver = new PolicyDriver(pathUseDecisionPolicy, { n: 3, ...config });
  return driver.run(wifiBps.length, (i) => [
    path('wifi', wifiBps[i] ?? 0),
    path('lte', lteBps[i] ?? 0),
  ]);
}

describe('path use decision', () => {
  test('disables at rho times the best, uses above it', () => {
    expect(after([10, 10, 10], [6, 6, 6])).toEqual(['wifi']);
    expect(after([10, 10, 10], [6.01, 6.01, 6.01])).toEqual(['wifi', 'lte']);
    expect(after([10, 10, 10], [6, 6, 6], { rho: 0.59 })).toEqual(['wifi', 'lte']);
    expect(after([10, 10, 10], [9.9, 9.9, 9.9], { rho: 1 })).toEqual(['wifi']);
  });

  test('averages three samples and weighs the averages 1..n', () => {
    // Moving averages 3, (3+6)/2, (3+6+9)/3; weighted (1*3 + 2*4.5 + 3*6) / 6 = 5.
    expect(after([8.3, 8.3, 8.3], [3, 6, 9])).toEqual(['wifi', 'lte']);
    expect(after([8.4, 8.4, 8.4], [3, 6, 9])).toEqual(['wifi']);
    // The newest weigh most: falling instead of rising gives (9 + 2*7.5 + 3*6) / 6 = 7.
    expect(after([11.6, 11.6, 11.6], [9, 6, 3])).toEqual(['wifi', 'lte']);
    expect(after([11.7, 11.7, 11.7], [9, 6, 3])).toEqual(['wifi']);
    // The last n averages 17/3, 10/3, 1 give 2.6; all six of them would give 4.4.
    expect(after([8, 8, 8, 8, 8, 8], [8, 8, 8, 1, 1, 1], { rho: 0.4 })).toEqual(['wifi']);
    expect(after([8, 8, 8, 8, 8, 8], [8, 8, 8, 1, 1, 1], { rho: 0.3 })).toHaveLength(2);
  });

  test('judges after n samples, by default 150; idle intervals do not count', () => {
    const driver = new PolicyDriver(pathUseDecisionPolicy);
    const paths = [path('wifi', 4e6), path('lte', 1e6)];
    const idle = paths.map((one) => ({ ...one, throughputBps: undefined }));
    expect(driver.run(149, paths)).toEqual(['wifi', 'lte']);
    expect(driver.reason).toContain('measuring wifi and lte');
    expect(driver.run(50, idle)).toEqual(['wifi', 'lte']);
    expect(driver.run(1, paths)).toEqual(['wifi']);
    expect(driver.reason).toBe("left lte (1.0 Mbit/s): not above 60 % of wifi's 4.0 Mbit/s");
  });

  test('reuses a path when the best falls to its level', () => {
    const driver = new PolicyDriver(pathUseDecisionPolicy, { n: 10 });
    expect(driver.run(10, [path('wifi', 4e6), path('lte', 2e6)])).toEqual(['wifi']);
    expect(driver.run(10, [path('wifi', 3e6), path('lte', 2e6)])).toEqual(['wifi', 'lte']);
  });

  test('tries a path again after a while, or never', () => {
    const paths = [path('wifi', 4e6), path('lte', 1e6)];
    const driver = new PolicyDriver(pathUseDecisionPolicy, {
      n: 10,
      retryMs: 3000,
      retrySamples: 5,
    });
    expect(driver.run(10, paths)).toEqual(['wifi']);
    expect(driver.run(29, paths)).toEqual(['wifi']);
    expect(driver.run(1, paths)).toEqual(['wifi', 'lte']);
    expect(driver.run(4, paths)).toEqual(['wifi', 'lte']);
    expect(driver.run(1, paths)).toEqual(['wifi']);
    const never = new PolicyDriver(pathUseDecisionPolicy, { n: 10, retryMs: 0 });
    expect(never.run(2000, paths)).toEqual(['wifi']);
  });

  test('a lost path starts again', () => {
    const driver = new PolicyDriver(pathUseDecisionPolicy, { n: 10 });
    expect(driver.run(10, [path('wifi', 4e6), path('lte', 1e6)])).toEqual(['wifi']);
    driver.step([path('wifi', 4e6), path('lte', 1e6, { state: 'lost' })]);
    expect(driver.step([path('wifi', 4e6), path('lte', 3e6)])).toEqual(['wifi', 'lte']);
  });

  test('an outage of all paths excludes none', () => {
    expect(after([0, 0, 0, 0], [0, 0, 0, 0])).toEqual(['wifi', 'lte']);
  });
});
