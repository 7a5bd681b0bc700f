import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core';
import { RELOAD_EVERY_MS, soakActions, type TimedAction } from './actions';

const HOUR_MS = 3_600_000;

/** Actions of the first `forMs` of a run, each with the time at which it begins. */
function actionsOf(seed: number, forMs: number): (TimedAction & { atMs: number })[] {
  const found: (TimedAction & { atMs: number })[] = [];
  let nowMs = 0;
  for (const timed of soakActions(createRandom(seed), 2, forMs / 2)) {
    nowMs += timed.afterMs;
    if (nowMs > forMs) return found;
    found.push({ ...timed, atMs: nowMs });
    nowMs += 'forMs' in timed.action ? timed.action.forMs : 0;
  }
  return found;
}

describe('soakActions', () => {
  it('does everything within an hour, the same with the same seed', () => {
    const actions = actionsOf(7, HOUR_MS);
    expect(new Set(actions.map(({ action }) => action.kind)).size).toBe(7);
    expect(actionsOf(7, HOUR_MS)).toEqual(actions);
    expect(actionsOf(8, HOUR_MS)).not.toEqual(actions);
  });

  it('affects existing paths and seeks within the film', () => {
    for (const { action } of actionsOf(1, HOUR_MS)) {
      if ('path' in action) expect([0, 1]).toContain(action.path);
      if (action.kind === 'seek') expect(action.to).toBeLessThan(0.9);
    }
  });

  it('reloads every few minutes of the first half, and leaves the last page alone', () => {
    const reloads = actionsOf(3, HOUR_MS).filter(({ action }) => action.kind === 'reload');
    expect(reloads.length).toBeGreaterThanOrEqual(HOUR_MS / 2 / RELOAD_EVERY_MS - 1);
    expect(reloads.at(-1)?.atMs).toBeLessThan(HOUR_MS / 2);
  });
});
