import { describe, expect, it } from 'vitest';
import { parseFeedUp } from './feed-up';
import { limits } from './limits';
import { parseLogEvent } from './log-schema';
import { shapeProblem } from './shape';
import { configEvent } from '../session-log/testing/events';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

describe('the shape of a message', () => {
  it('may be as deep as the limit, and no deeper', () => {
    expect(shapeProblem(nested(limits.depth))).toBeUndefined();
    expect(shapeProblem(nested(limits.depth + 1))).toMatch(/nested deeper/);
  });

  it('is refused 200,000 deep without running out of stack, from page and file alike', () => {
    const event = configEvent({ a: nested(200_000) });
    expect(parseFeedUp({ type: 'log', events: [event] })).toMatchObject({ ok: false });
    expect(parseLogEvent(event)).toMatchObject({ ok: false });
    expect(parseLogEvent(configEvent({ a: nested(10) }))).toMatchObject({ ok: true });
  });

  it('is refused with circles and with parts that are shared ever more often', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(shapeProblem(circle)).toMatch(/nested deeper/);
    let shared: unknown = [];
    for (let level = 0; level < 30; level += 1) shared = [shared, shared];
    expect(shapeProblem(shared)).toMatch(/values/);
  });
});
