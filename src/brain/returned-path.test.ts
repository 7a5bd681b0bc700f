import { expect, test } from 'vitest';
import { followHealth, healthOf, type PathHealth } from './path-health';
import { estimator, type Facts } from './testing/health-facts';

/** Bytes of a sample at the path's rate. */
const FULL = 25_000;

test('keeps a path that comes back, however long it was away', () => {
  let known: PathHealth[] = [];
  for (let i = 0; i <= 40; i += 1) {
    // Carries alone, is silent for 300 ms, away for 3 s, and back.
    const [wifi, lte] =
      i < 6 ? ['active', 'backup'] : i < 36 ? ['lost', 'active'] : ['active', 'active'];
    const facts = { blockedBytes: 0, totalBytes: FULL * Math.min(i, 3) };
    const other = { blockedBytes: 0, totalBytes: FULL * Math.max(0, i - 6) };
    const paths = { wifi: { ...facts, state: wifi }, lte: { ...other, state: lte } };
    known = followHealth(
      known,
      estimator(paths as Record<string, Facts>),
      1000 + 100 * i,
      'answered',
    );
    if (i >= 36) expect(healthOf(known, 'wifi')).toBe('healthy');
  }
});
