import { describe, expect, it } from 'vitest';
import { Rendered } from './rendered';

describe('Rendered', () => {
  it('changes when the position reaches a piece of another rung', () => {
    const rendered = new Rendered();
    rendered.fetched({ startMs: 0, endMs: 2000, rung: 1 });
    rendered.fetched({ startMs: 2000, endMs: 4000, rung: 3 });
    expect(rendered.rung).toBe(-1);
    expect(rendered.moved(0)).toBeUndefined();
    expect(rendered.rung).toBe(1);
    expect(rendered.moved(1999)).toBeUndefined();
    expect(rendered.moved(2000)).toEqual({ from: 1, to: 3 });
    expect(rendered.moved(2500)).toBeUndefined();
  });

  it('uses the latest fetched of overlapping pieces, and the last rung in a gap', () => {
    const rendered = new Rendered();
    rendered.fetched({ startMs: 0, endMs: 2000, rung: 0 });
    rendered.moved(0);
    rendered.fetched({ startMs: 2000, endMs: 4000, rung: 0 });
    rendered.fetched({ startMs: 2000, endMs: 4000, rung: 5 });
    expect(rendered.moved(3000)).toEqual({ from: 0, to: 5 });
    expect(rendered.moved(9000)).toBeUndefined();
    expect(rendered.rung).toBe(5);
  });
});
