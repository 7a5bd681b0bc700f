import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LabError } from '../../lab';
import { UserError } from '../host';
import { startLogSessions, type LogSessionsParts } from './log-sessions';

let dir = '';
let done: string[] = [];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'mpd-log-sessions-'));
  done = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A lab that plays nothing: the log of every session is in `dir`. */
const parts = (change: Partial<LogSessionsParts> = {}): LogSessionsParts => ({
  refusal: () => Promise.resolve(undefined),
  hold: (names) => {
    done.push(`hold ${names.join(' ')}`);
    return Promise.resolve(() => Promise.resolve(void done.push('release')));
  },
  sessions: () => ({
    play: ({ key }) =>
      Promise.resolve(void done.push(key)).then(() => ({ folder: dir, metrics: {} })),
    end: () => Promise.resolve(void done.push('end')),
  }),
  ...change,
});

describe('sessions that are measured from their logs', () => {
  it('give the outcome of the log, and hold the controls until the last one has ended', async () => {
    const stall = { type: 'stall', monotonicMs: 1000, phase: 'start' };
    writeFileSync(path.join(dir, 'session.jsonl'), `${JSON.stringify(stall)}\n`);
    const outcomeOf = (events: readonly object[]): number => events.length;
    const workers = await startLogSessions(
      { folder: dir, outcomeOf, controls: ['mpd_lia', 'mpd_mcc'] },
      parts(),
    );
    const request = { experiment: 'x', job: { key: 'mptcp/0.2/1' } };
    expect(await workers.run(request as Parameters<typeof workers.run>[0])).toBe(1);
    await Promise.all([workers.end(), workers.end()]);
    expect(done).toEqual(['hold mpd_lia mpd_mcc', 'mptcp/0.2/1', 'end', 'release']);
  });

  it('are refused where there is no lab, or no way to load the controls', async () => {
    const options = { folder: dir, outcomeOf: () => 0, controls: ['mpd_lia'] };
    const noLab = new LabError('TOOL_MISSING', 'no nginx');
    await expect(
      startLogSessions(options, parts({ refusal: () => Promise.resolve(noLab) })),
    ).rejects.toThrow('no nginx');
    const noBpf = new UserError('no struct_ops');
    await expect(
      startLogSessions(options, parts({ hold: () => Promise.reject(noBpf) })),
    ).rejects.toThrow('no struct_ops');
    expect(done).toEqual([]);
  });
});
