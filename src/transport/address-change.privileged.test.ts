import { describe, expect } from 'vitest';
import { privilegedIt, runPrivately } from '../kernel/testing/private-network';

const SCENARIO = 'src/transport/testing/address-change-scenario.ts';

async function run(part: string): Promise<Map<string, unknown>> {
  const lines = await runPrivately(SCENARIO, part);
  return new Map(
    lines.map((line) => {
      const { name, value } = line as { name: string; value: unknown };
      return [name, value];
    }),
  );
}

const renewals = ['c2 renewed ms', 'c2 renewed again ms', 'c1 renewed ms'];
const samePaths = { '10.0.2.7': 'c2', '10.0.2.8': 'c2', '10.0.1.9': 'c1' };

// The scenario waits for bytes from each new address and ends with an error if none arrive.
describe('an address that changes during a stream, on a real kernel', () => {
  privilegedIt('costs no path: own endpoints follow, and the path keeps its name', async () => {
    const seen = await run('byEndpoint');
    for (const name of renewals) expect(seen.get(name)).toBeTypeOf('number');
    expect(seen.get('listed')).toEqual(
      expect.arrayContaining(['c2 10.0.2.8 active', 'c1 10.0.1.9 active']),
    );
    expect(seen.get('listed')).toHaveLength(2);
    expect(seen.get('paths')).toMatchObject(samePaths);
    expect(seen.get('switched')).toBe(true);
    expect(seen.get('left')).toBe('');
  });

  privilegedIt('costs no path where the endpoint of the old address was the system’s', async () => {
    const seen = await run('foreign');
    expect(seen.get('foreign renewed ms')).toBeTypeOf('number');
    expect(seen.get('foreign as found')).toBe(true);
  });

  privilegedIt('costs no path with the path manager in user space', async () => {
    const seen = await run('byConnection');
    for (const name of renewals) expect(seen.get(name)).toBeTypeOf('number');
    expect(seen.get('paths')).toMatchObject(samePaths);
  });
});
