import { describe, expect } from 'vitest';
import { privilegedIt, runPrivately } from '../kernel/testing/private-network';

const SCENARIO = 'src/path-control/testing/overrun-scenario.ts';

describe('more events than a socket holds, on a real kernel', () => {
  privilegedIt('at the helper: noted, and its player looks at everything anew', async () => {
    const lines = await runPrivately(SCENARIO);
    expect(lines).toEqual([
      { name: 'noted', value: true },
      { name: 'steers on ms', value: expect.any(Number) as unknown },
    ]);
  });

  privilegedIt('of the interfaces: noted, looked at anew, and followed again', async () => {
    expect(await runPrivately(SCENARIO, 'interfaces')).toEqual([
      { name: 'interfaces', value: ['EVENTS_OVERRUN'] },
      { name: 'interfaces again', value: true },
    ]);
  });
});
