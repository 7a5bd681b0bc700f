import { describe, expect, test } from 'vitest';
import { meteredPolicy } from './metered';
import type { ObservedPath, PathObservation } from './observation';
import { path, PolicyDriver } from './testing/observations';

const wifi = (rateBps: number, more: Partial<ObservedPath> = {}) => path('wifi', rateBps, more);
const lte = (more: Partial<ObservedPath> = {}) => path('lte', 5e6, { metered: true, ...more });

function due(bytesLeft: number, deadlineMs: number): Partial<PathObservation> {
  return { requests: [{ bytesLeft, deadlineMs }] };
}

describe('metered', () => {
  test('the preferred network alone while it meets the deadlines', () => {
    const driver = new PolicyDriver(meteredPolicy);
    expect(driver.step([wifi(4e6), lte()], due(1e6, 4000))).toEqual(['wifi']);
    expect(driver.reason).toBe('wifi is in time');
    expect(driver.step([wifi(4e6), lte()], { requests: [] })).toEqual(['wifi']);
  });

  test('a costly one joins just in time, saves the deadline and leaves', () => {
    const driver = new PolicyDriver(meteredPolicy);
    let wifiBytes = 0;
    let lteBytes = 0;
    const segment = 3e6; // 6 s over wifi alone, due in 5 s
    let joinedAtMs: number | undefined;
    while (wifiBytes + lteBytes < segment && driver.nowMs < 20_000) {
      const at = driver.nowMs;
      const active = driver.step([wifi(4e6), lte()], due(segment - wifiBytes - lteBytes, 5000));
      wifiBytes += 50_000;
      if (!active.includes('lte')) continue;
      joinedAtMs ??= at;
      lteBytes += 62_500;
    }
    expect(driver.nowMs).toBeLessThanOrEqual(5000);
    expect(joinedAtMs).toBeGreaterThan(500);
    // Both from the start would have carried 1.67 MB over lte. Wifi misses only 0.75 MB by the deadline.
    expect(lteBytes).toBeGreaterThan(0.7e6);
    expect(lteBytes).toBeLessThan(1.2e6);
    expect(driver.step([wifi(4e6), lte()], due(1e6, driver.nowMs + 10_000))).toEqual(['wifi']);
  });

  test('reports when it will join, then the helper and the reason', () => {
    const driver = new PolicyDriver(meteredPolicy);
    driver.step([wifi(4e6), lte()], due(3e6, 5000));
    expect(driver.reason).toBe('wifi alone is late: lte helps in 833 ms');
    driver.step([wifi(4e6), lte()], due(3e6, driver.nowMs + 4000));
    expect(driver.reason).toBe('wifi alone is late: lte helps');
  });

  test('a helper stays until the preferred network has spare time, not merely none missing', () => {
    const driver = new PolicyDriver(meteredPolicy);
    driver.step([wifi(4e6), lte()], due(3e6, 4000));
    expect(driver.active).toEqual(['wifi', 'lte']);
    expect(driver.step([wifi(4e6), lte()], due(1e6, driver.nowMs + 2600))).toHaveLength(2);
    expect(driver.step([wifi(4e6), lte()], due(1e6, driver.nowMs + 3600))).toEqual(['wifi']);
  });

  test('a helper stays between two segments, in a stall and on its return, until enough is buffered', () => {
    const driver = new PolicyDriver(meteredPolicy);
    driver.step([wifi(4e6), lte()], due(3e6, 4000));
    expect(driver.active).toEqual(['wifi', 'lte']);
    const none = (bufferMs: number | undefined) => ({ requests: [], bufferMs });
    expect(driver.step([wifi(4e6), lte()], none(4000))).toEqual(['wifi', 'lte']);
    expect(driver.reason).toBe('lte stays: 4.0 s buffered');
    expect(driver.step([wifi(4e6), lte()], none(undefined))).toEqual(['wifi', 'lte']);
    driver.step([wifi(4e6), lte({ state: 'connecting' })], none(1000));
    expect(driver.last?.desired.get('lte')).toBe('active');
    expect(driver.step([wifi(4e6), lte()], none(5000))).toEqual(['wifi']);
  });

  test('a slow network is left out while a costly one carries, until the buffer is safe', () => {
    const slow = wifi(0.15e6);
    const late = { requests: [{ bytesLeft: 75_000 }], bufferMs: 1000 };
    const driver = new PolicyDriver(meteredPolicy);
    expect(driver.step([slow, lte()], late)).toEqual(['lte']);
    expect(driver.last?.desired.get('wifi')).toBe('backup');
    expect(driver.reason).toBe('wifi alone is late: lte helps; wifi off: slow');
    expect(driver.step([slow, lte()], { requests: [], bufferMs: 4000 })).toEqual(['lte']);
    expect(driver.step([slow, lte()], { requests: [], bufferMs: 5000 })).toEqual(['wifi']);
  });

  test('a slow network stays over byte ranges, and where the costly one is lost', () => {
    const late = { requests: [{ bytesLeft: 75_000 }], bufferMs: 1000 };
    const ranges = new PolicyDriver(meteredPolicy);
    const independent = { ...late, independent: true };
    expect(ranges.step([wifi(0.15e6), lte()], independent)).toEqual(['wifi', 'lte']);
    const driver = new PolicyDriver(meteredPolicy);
    driver.step([wifi(0.15e6), lte()], late);
    driver.step([wifi(0.15e6), lte({ state: 'lost' })], late);
    expect(driver.last?.desired.get('wifi')).toBe('active');
  });

  test('a request of unknown size counts as one of the segments', () => {
    const driver = new PolicyDriver(meteredPolicy);
    const asked = { requests: [{ bytesLeft: undefined }], bufferMs: 2000, segmentBytes: 3e6 };
    expect(driver.step([wifi(4e6), lte()], asked)).toEqual(['wifi', 'lte']);
  });

  test('all requests count, and a request without a deadline is due when the buffer runs dry', () => {
    const late = { requests: [{ bytesLeft: 1e6 }, { bytesLeft: 1e6 }], bufferMs: 3000 };
    const driver = new PolicyDriver(meteredPolicy);
    expect(driver.step([wifi(4e6), lte()], late)).toEqual(['wifi', 'lte']);
    expect(driver.step([wifi(4e6), lte()], { ...late, bufferMs: 30_000 })).toEqual(['wifi']);
    const unknown = { requests: [{ bytesLeft: 9e9 }], bufferMs: undefined };
    expect(driver.step([wifi(4e6), lte()], unknown)).toEqual(['wifi']);
  });

  test('an unmeasured preferred network is used alone until time runs out', () => {
    const driver = new PolicyDriver(meteredPolicy);
    const blank = wifi(0, { confidence: 0 });
    expect(driver.step([blank, lte()], due(1e6, 4000))).toEqual(['wifi']);
    expect(driver.step([blank, lte()], due(1e6, driver.nowMs + 1200))).toEqual(['wifi', 'lte']);
  });

  test('a network that is late and alone says that nothing can help', () => {
    const driver = new PolicyDriver(meteredPolicy);
    expect(driver.step([wifi(4e6)], due(9e6, 2000))).toEqual(['wifi']);
    expect(driver.reason).toBe('wifi is late, nothing can help');
  });

  test('the cheapest helper first, a dearer one only if that is not enough', () => {
    const dear = path('abroad', 5e6, { metered: true, costPerGb: 90 });
    const cheap = lte({ costPerGb: 2 });
    const one = new PolicyDriver(meteredPolicy);
    expect(one.step([dear, wifi(4e6), cheap], due(3e6, 3500))).toEqual(['wifi', 'lte']);
    const two = new PolicyDriver(meteredPolicy);
    expect(two.step([dear, wifi(4e6), cheap], due(6e6, 4500))).toHaveLength(3);
  });

  test('the viewer may prefer one of several, else the unmetered, else the cheapest', () => {
    const step = (paths: ObservedPath[]) => new PolicyDriver(meteredPolicy).step(paths);
    expect(step([wifi(4e6), lte({ preferred: true })])).toEqual(['lte']);
    expect(step([wifi(4e6), path('eth0', 1e6), lte()])).toEqual(['wifi', 'eth0']);
    const priced = lte({ costPerGb: 3 });
    expect(step([path('abroad', 9e6, { metered: true }), priced])).toEqual(['lte']);
  });

  test('a spent budget closes the path, its own like the common one', () => {
    const urgent = due(3e6, 1000);
    const own = new PolicyDriver(meteredPolicy);
    const left = (totalBytes: number) => lte({ budgetBytes: 10e6, totalBytes });
    expect(own.step([wifi(4e6), left(9.8e6)], urgent)).toEqual(['wifi', 'lte']);
    expect(own.step([wifi(4e6), left(9.95e6)], urgent)).toEqual(['wifi']);
    expect(own.last?.desired.get('lte')).toBe('closed');
    expect(own.reason).toContain('lte off: its budget is spent');
    const common = new PolicyDriver(meteredPolicy, { budgetBytes: 10e6 });
    const roam = path('roam', 5e6, { metered: true, totalBytes: 6e6 });
    expect(common.step([wifi(4e6), lte({ totalBytes: 5e6 }), roam], urgent)).toEqual(['wifi']);
  });

  test('the paths of a network to several addresses of a server share its budget', () => {
    const driver = new PolicyDriver(meteredPolicy);
    const to = (pathId: string) => lte({ pathId, budgetBytes: 10e6, totalBytes: 6e6 });
    const paths = [wifi(4e6), to('lte'), to('lte>10.0.0.2')];
    expect(driver.step(paths, due(3e6, 1000))).toEqual(['wifi']);
    expect(driver.last?.desired.get('lte>10.0.0.2')).toBe('closed');
  });

  test('without the preferred network the stream goes on, first within the budget, then over it', () => {
    const driver = new PolicyDriver(meteredPolicy);
    const gone = wifi(0, { state: 'lost' });
    expect(driver.step([gone, lte({ budgetBytes: 10e6 })])).toContain('lte');
    expect(driver.step([gone, lte({ budgetBytes: 10e6, totalBytes: 10e6 })])).toEqual(['lte']);
    expect(driver.reason).toContain('over its budget');
    expect(driver.step([wifi(4e6), lte()])).toEqual(['wifi']);
  });
});
