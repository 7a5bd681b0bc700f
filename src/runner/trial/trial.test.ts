import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../ports/testing';
import { parseScenario, type PlayerSpec, type TimelineEvent } from '../../scenario';
import { decisionFor, networkFor } from './carriage';
import { Faults } from './faults';
import { followLog } from './follow-log';
import { serverOptions } from './server-side';
import { startTimeline } from './timeline';
import { freshFolder } from './trial';

const down: TimelineEvent = { atMs: 2000, kind: 'link-state', link: 'wifi', state: 'down' };
const up: TimelineEvent = { atMs: 2000, kind: 'link-state', link: 'lte', state: 'up' };

describe('startTimeline', () => {
  it('executes events in time, and simultaneous ones in their order', async () => {
    const clock = createFakeClock();
    const applied: string[] = [];
    const apply = (event: TimelineEvent): Promise<void> => {
      applied.push('link' in event ? event.link : event.kind);
      return Promise.resolve();
    };
    const stop = startTimeline([down, up], apply, clock, () => undefined);
    clock.advance(1999);
    expect(applied).toEqual([]);
    clock.advance(1);
    await stop();
    expect(applied).toEqual(['wifi', 'lte']);
  });

  it('cancels the rest and reports failed events', async () => {
    const clock = createFakeClock();
    const failures: unknown[] = [];
    const apply = (): Promise<void> => Promise.reject(new Error('no such link'));
    const later = { ...down, atMs: 9000 };
    const stop = startTimeline([down, later], apply, clock, (error) => failures.push(error));
    clock.advance(2000);
    await stop();
    clock.advance(10_000);
    await stop();
    expect(failures).toEqual([new Error('no such link')]);
  });
});

describe('Faults', () => {
  it('keeps the first fault: the later ones are consequences', async () => {
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

  it('restricts a player to its carriage', () => {
    expect(networkFor({ kind: 'mptcp' })).toEqual({});
    expect(networkFor({ kind: 'tcp' })).toEqual({ clientMptcp: false });
    expect(networkFor({ kind: 'path', path: 'lte' })).toEqual({ usePaths: ['lte'] });
  });

  it('changes no paths of a player without a policy', () => {
    expect(decisionFor(player, [], network)).toMatchObject({ pathControl: false });
    expect(decisionFor(player, [], network)).not.toHaveProperty('policy');
  });

  it('passes costly networks to a policy, by their interface', () => {
    const steered = { ...player, carriage: { kind: 'policy', policy: 'metered' } as const };
    expect(decisionFor(steered, [{ path: 'lte', costPerGb: 5 }], network)).toMatchObject({
      policy: 'metered',
      networks: [{ network: 'if-lte', metered: true, costPerGb: 5 }],
    });
  });
});

describe('the server of a scenario', () => {
  const files = { resolve: (name: string) => path.resolve('scenarios/decisions', name) };
  const optionsOf = (name: string): object => {
    const file = path.join('scenarios/decisions', name);
    const read = (one: string): string => readFileSync(one, 'utf8');
    const scenario = parseScenario(read(file), file, { files: { ...files, read } });
    const server = { netns: 'server', address: '10.0.0.1', congestionControl: 'cubic' };
    return serverOptions(scenario, { server }, { dir: '/film', mpd: 'manifest.mpd' });
  };

  it('broadcasts the film of a live scenario only', () => {
    expect(optionsOf('live-two-unequal.yaml')).toMatchObject({
      root: '/film',
      port: 8080,
      live: { mpd: 'manifest.mpd', segmentMs: expect.any(Number) as number },
    });
    expect(optionsOf('two-unequal.yaml')).not.toHaveProperty('live');
  });
});

describe('followLog', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'follow-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('returns whole lines as they arrive, and skips lines that are not events', () => {
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

describe('the folder of a trial', () => {
  let runDir = '';
  beforeEach(() => (runDir = mkdtempSync(path.join(os.tmpdir(), 'mpd-trial-'))));
  afterEach(() => rmSync(runDir, { recursive: true }));
  const fresh = (folder: string): string =>
    freshFolder({ plan: { number: 1, player: 'a', trial: 1, seed: 1, folder }, runDir });

  it('is emptied before it is played again', () => {
    writeFileSync(path.join(fresh('trials/1-a'), 'partial'), '');
    expect(readdirSync(fresh('trials/1-a'))).toEqual([]);
  });

  it('removes nothing behind a link above it', () => {
    const victim = path.join(runDir, 'victim/1-a');
    mkdirSync(victim, { recursive: true });
    symlinkSync(path.join(runDir, 'victim'), path.join(runDir, 'trials'));
    expect(() => fresh('trials/1-a')).toThrow(/trials leads out of/);
    expect(() => fresh('../x')).toThrow(/is not below/);
    expect(existsSync(victim)).toBe(true);
  });
});
