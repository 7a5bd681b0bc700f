import { describe, expect } from 'vitest';
import { observe } from '../kernel/testing/private-network';

const { get, check } = observe('src/fetch/testing/two-addresses-scenario.ts', 60_000);

describe('the source address on an interface with several', () => {
  check('is the one beside the gateway', () => expect(get('gateway')).toBe('10.0.1.2'));
  check('is the one that the route names', () => expect(get('src')).toBe('10.0.1.3'));
  check('is that of a source rule whose table has the only route', () =>
    expect(get('source rule')).toBe('10.0.1.2'),
  );
  check('does not matter without a route', () => expect(get('no route')).toMatch(/no route/));
});
