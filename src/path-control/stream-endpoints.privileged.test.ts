import { describe, expect } from 'vitest';
import { observe } from '../kernel/testing/private-network';

const { check, get } = observe('src/path-control/testing/stream-endpoints-scenario.ts', 120_000);

describe.each(['direct', 'helper'])('the endpoints of a stream, on a real kernel: %s', (way) => {
  check('are made with its first connection, for the other network', () => {
    expect(get(`${way}: before the stream`)).toBe('');
    expect(get(`${way}: during the stream`)).toMatch(/^10\.0\.2\.2 subflow.*c2$/);
  });

  check('end with it, and another program’s connection goes on', () => {
    expect(get(`${way}: the other program goes on`)).toBe(true);
  });
});
