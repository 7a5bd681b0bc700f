import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../ports/testing';
import type { PlayerSpec, TimelineEvent } from '../../../scenario';
import { decisionFor, networkFor } from './carriage';
import { Faults } from './faults';
import { followLog } from './follow-log';
import { startTimeline } from './timeline';

const down: TimelineEvent = { atMs: 2000, kind: 'link-state', link: 'wifi', state: 'down' };
const up: TimelineEvent = { atMs: 2000, kind: 'link-state', link: 'lte', state: 'up' };

describe('startTimeline', () => {
  it('carries out events in time, those of one instant in their order', async () => {
    const clock = createFakeClock();
    const applied: string[] = [];
    const apply = (event: TimelineEvent): Promise<void> => {
      applied.push(event.link);
      return Promise.resolve();
    };
    const stop = startTimeline([down, up], { apply }, clock, () => undefined);
    clock.advance(1999);
    expect(applied).toEqual([]);
    clock.advance(1);
    await stop();
    expect(applied).toEqual(['wifi', 'lte']);
  });

  it('calls off what is left and tells what cannot be done', async () => {
    const clock = createFakeClock();
    const failures: unknown[] = [];
    const apply = (): Promise<void> => Promise.reject(new Error('no such link'));
    const later = { ...down, atMs: 9000 };
    const stop = startTimeline([down, later], { apply }, clock, (error) => failures.push(error));
    clock.advance(2000);
    await stop();
    clock.advance(10_000);
    await stop();
    expect(failures).toEqual([new Error('no such link')]);
  });
});

describe('Faults', () => {
  it('keeps the first: what follows is a consequence', async () => {
    const faults = new Faults();
    faults.report('network', new Error('the emulator is gone'));
    faults.report('player', 'no frame');
    expect(await faults.first).toBe('network: the emulator is gone');
    expect(faults.message).toBe('network: the emulator is gone');
  });
});

describe('carriage', () => {
  const player: PlayerSpec = {
    id: 'x',
    app: 'browser',
    abr: 'multipath',
    carriage: { kind: 'mptcp' },
    correction: true,
  };
  const network = { interfaceOf: (name: string) => `if-${name}` };

  it('leaves a player only what it is to be carried by', () => {
    expect(networkFor({ kind: 'mptcp' })).toEqual({});
    expect(networkFor({ kind: 'tcp' })).toEqual({ clientMptcp: false });
    expect(networkFor({ kind: 'path', path: 'lte' })).toEqual({ usePaths: ['lte'] });
  });

  it('lets nothing touch the paths of a player without a policy', () => {
    expect(decisionFor(player, [], network)).toMatchObject({ pathControl: false });
    expect(decisionFor(player, [], network)).not.toHaveProperty('policy');
  });

  it('tells a policy which networks cost, by their interface', () => {
    const steered = { ...player, carriage: { kind: 'policy', policy: 'metered' } as const };
    expect(decisionFor(steered, [{ path: 'lte', costPerGb: 5 }], network)).toMatchObject({
      policy: 'metered',
      networks: [{ network: 'if-lte', metered: true, costPerGb: 5 }],
    });
  });
});

describe('followLog', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'follow-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('gives whole lines as they come, and passes over what is no event', () => {
    const file = path.join(dir, 'session.jsonl');
    const stall = JSON.stringify({ type: 'stall', monotonicMs: 1, phase: 'start' });
    appendFileSync(file, `${stall}\nnonsense\n${stall.slice(0, 10)}`);
    const log = followLog(file);
    expect(log.read()).toHaveLength(1);
    expect(log.read()).toEqual([]);
    appendFileSync(file, `${stall.slice(10)}\n`);
    expect(log.read()).toEqual([{ type: 'stall', monotonicMs: 1, phase: 'start' }]);
    log.close();
  });
});
