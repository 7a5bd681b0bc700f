import { describe, expect, test } from 'vitest';
import { modelPolicy } from './model';
import { path, PolicyDriver } from './testing/observations';

const unknown = { confidence: 0, safeRateBps: 0 };
describe('model', () => {
  test('measures a path of unknown rate beside the others, then takes the set that delivers most', () => {
    const driver = new PolicyDriver(modelPolicy);
    expect(driver.step([path('wifi', 5e6), path('lte', 0, unknown)])).toEqual(['wifi', 'lte']);
    expect(driver.reason).toContain('trying lte');
    const both = [path('wifi', 5e6), path('lte', 4e6)];
    expect(driver.run(30, both).sort()).toEqual(['lte', 'wifi']);
    expect(driver.reason).toContain('lte and wifi together');
  });

  test('tries a path in place of the others that carried only heads of answers beside them', () => {
    const driver = new PolicyDriver(modelPolicy);
    // Falls silent now and then, as a path without data does.
    const heads = (step: number) =>
      path('fast', 0.9e6, { confidence: 0.02, totalBytes: 15_000, silent: step % 7 === 0 });
    const slow = path('slow', 0.47e6, { totalBytes: 400_000 });
    const taken = new Set<string>();
    driver.run(120, (step) => {
      taken.add(driver.active.join('+'));
      return [heads(step), slow];
    });
    expect(taken).toContain('fast');
    // Measured by then, it carries the stream.
    const fast = path('fast', 2.4e6, { totalBytes: 400_000 });
    expect(driver.run(60, [fast, slow])).toContain('fast');
  });

  test('ends the trial of a near path that delivers nothing', () => {
    const driver = new PolicyDriver(modelPolicy);
    const near = path('wifi', 0, { ...unknown, rcvRttMs: 20 });
    const far = path('lte', 6e6, { rcvRttMs: 80 });
    let aloneMs = 0;
    for (let step = 0; step < 600; step += 1) {
      if (driver.step([near, far]).join() === 'wifi') aloneMs += 100;
    }
    expect(aloneMs).toBeLessThan(10_000);
    expect(driver.active).toContain('lte');
  });

  test('does not stop a short buffer for the trial of a path', () => {
    const driver = new PolicyDriver(modelPolicy);
    const heads = path('fast', 0.9e6, { confidence: 0.02, totalBytes: 15_000 });
    const slow = path('slow', 0.47e6, { totalBytes: 400_000 });
    for (let step = 0; step < 200; step += 1) {
      expect(driver.step([heads, slow], { bufferMs: 5000 })).toContain('slow');
    }
  });

  test('leaves a path that costs more than it adds, and reports the rates with and without it', () => {
    const driver = new PolicyDriver(modelPolicy);
    const paths = [path('wifi', 5e6), path('lte', 0.6e6, { rcvRttMs: 350 })];
    expect(driver.run(30, paths)).toEqual(['wifi']);
    expect(driver.reason).toMatch(
      /^left lte: wifi delivers 5.0 Mbit\/s without, \d.\d Mbit\/s with$/,
    );
  });

  test('ignores a short dip, and moves at once when the buffer is short', () => {
    const driver = new PolicyDriver(modelPolicy);
    const before = [path('wifi', 5e6), path('lte', 0.6e6, { rcvRttMs: 350 })];
    driver.run(30, before);
    const after = [path('wifi', 0.5e6), path('lte', 4e6, { rcvRttMs: 350 })];
    expect(driver.run(5, after)).toEqual(['wifi']);
    expect(driver.step(after, { needBps: 3e6, bufferMs: 3000 })).toContain('lte');
  });

  test('does not rely on a path that delivers nothing, and keeps it active', () => {
    const driver = new PolicyDriver(modelPolicy);
    driver.run(30, [path('wifi', 5e6), path('lte', 2e6)]);
    const silent = path('wifi', 0, { ...unknown, silent: true });
    expect(driver.run(30, [silent, path('lte', 2e6)]).sort()).toEqual(['lte', 'wifi']);
    expect(driver.reason).toBe('wifi delivers nothing: lte (2.0 Mbit/s) carries on');
    // Back: used at once, as before.
    expect(driver.step([path('wifi', 5e6), path('lte', 2e6)]).sort()).toEqual(['lte', 'wifi']);
  });

  test('keeps a silent path that is not in its set as a backup', () => {
    const driver = new PolicyDriver(modelPolicy);
    const slow = { rcvRttMs: 350 };
    expect(driver.run(30, [path('wifi', 5e6), path('lte', 0.6e6, slow)])).toEqual(['wifi']);
    const silent = path('lte', 0, { ...unknown, ...slow, silent: true });
    expect(driver.run(5, [path('wifi', 5e6), silent])).toEqual(['wifi']);
    expect(driver.reason).toBe('lte delivers nothing: wifi (5.0 Mbit/s) carries on');
  });

  test('wants a lost path active on its return, but not a costly one', () => {
    const driver = new PolicyDriver(modelPolicy);
    const lost = { ...unknown, state: 'lost' } as const;
    expect(driver.run(30, [path('wifi', 0, lost), path('lte', 2e6)]).sort()).toEqual([
      'lte',
      'wifi',
    ]);
    const costly = path('wifi', 0, { ...lost, metered: true });
    expect(driver.step([costly, path('lte', 2e6)])).toEqual(['lte']);
  });
});
