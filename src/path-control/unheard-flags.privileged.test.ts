import { describe, expect } from 'vitest';
import { observe } from '../kernel/testing/private-network';

const { check, get } = observe('src/path-control/testing/unheard-flags-scenario.ts', 120_000);

// The scenario waits for each expected event and ends with an error if one is missing.
describe.each(['in-kernel', 'userspace'])('a lost MP_PRIO, on a real kernel: %s', (kind) => {
  check('is repeated until the server leaves the backup', () => {
    expect(get(`${kind}: sends over the backup`)).toBeTypeOf('number');
    expect(get(`${kind}: quiet ms`)).toBeTypeOf('number');
  });

  check('is repeated until the server uses the path again', () => {
    // The server may send a few segments again.
    expect(get(`${kind}: bytes although active`)).toBeLessThan(5000);
    expect(get(`${kind}: used again ms`)).toBeTypeOf('number');
  });
});
