/* eslint-disable no-empty-pattern -- Playwright reads the required fixtures from the pattern; these require none */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { summarize } from '../../src/qoe';
import type { LogEvent } from '../../src/session-log';
import { nightly } from '../support/nightly';
import { trialProcesses } from './children';
import { playerOf, smallScenario } from './scenario';
import { playTrial } from './trial';

/** One of each kind of player. */
const players = [
  playerOf('multipath'),
  playerOf('shaka', { bufferTargetMs: 20_000 }),
  playerOf('multipath', { id: 'electron@mptcp', app: 'electron' }),
];
/** The same pages with other carriages and rules. */
const variants = [
  playerOf('dynamic', { id: 'dynamic@tcp', carriage: { kind: 'tcp' } }),
  playerOf('bola', { id: 'bola@lte', carriage: { kind: 'path', path: 'lte' } }),
  playerOf('multipath', { id: 'multipath@model', carriage: { kind: 'policy', policy: 'model' } }),
  playerOf('l2a'),
  playerOf('lolp'),
];

test.afterEach(() => expect(trialProcesses()).toEqual([]));

for (const player of [...players, ...variants]) {
  const details = variants.includes(player) ? nightly : {};
  test(`${player.id} plays a trial with complete metrics`, details, async ({}, info) => {
    const { record, dir, log } = await playTrial(info, smallScenario(), player);
    expect(record).toMatchObject({ outcome: 'ok', player: player.id });
    const events = log();
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      reason: expect.stringMatching(/time-up|closed/),
    });
    const summary = summarize(events);
    expect(summary.startupDelayMs).toBeGreaterThan(0);
    expect(summary.averageBitrateBps).toBeGreaterThan(0);
    expect(rungsFetched(events)).not.toContain(-1);
    expect(new Set(subflowPaths(events))).toEqual(expectedPaths(player.carriage.kind));
    const [sample = ''] = readFileSync(path.join(dir, 'network.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(sample)).toMatchObject({ links: expect.any(Array) });
  });
}

test('a metered network stays in reserve over byte ranges', async ({}, info) => {
  const scenario = smallScenario({ metered: [{ path: 'lte', budgetBytes: 5e6 }] });
  const player = playerOf('multipath', { id: 'multipath@ranges', carriage: { kind: 'ranges' } });
  const { record, log } = await playTrial(info, scenario, player);
  expect(record.outcome).toBe('ok');
  const events = log();
  const decided = events.filter(({ type }) => type === 'path-decision').at(-1);
  expect(decided).toMatchObject({ policy: 'metered' });
  const controls = events.flatMap((event) => (event.type === 'path-control' ? [event.report] : []));
  const lte = controls.at(-1)?.paths.find(({ pathId }) => pathId === 'lte');
  expect(lte?.state).toBe('backup');
  const carried = events.flatMap((event) => (event.type === 'carriage' ? [event.report] : []));
  const bytes = Object.fromEntries(
    (carried.at(-1)?.networks ?? []).map((one) => [one.networkId, one.receivedBytes]),
  );
  expect(bytes['wifi']).toBeGreaterThan(100_000);
  expect(bytes['lte']).toBeLessThan(100_000);
});

/** Over these wide paths only a player that cannot adapt stays at the lowest rung. */
function rungsFetched(events: readonly LogEvent[]): number[] {
  return events.flatMap((event) =>
    event.type === 'request' && event.kind === 'media' ? [event.rung ?? -1] : [],
  );
}

function subflowPaths(events: readonly LogEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'path' && event.event.kind === 'subflow-established'
      ? [event.event.pathId ?? '']
      : [],
  );
}

function expectedPaths(carriage: string): Set<string> {
  if (carriage === 'tcp') return new Set();
  return new Set(carriage === 'path' ? ['lte'] : ['wifi', 'lte']);
}
