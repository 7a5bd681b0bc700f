/* eslint-disable no-empty-pattern -- Playwright reads what a test needs from its pattern; these need nothing */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { summarize, type LogEvent } from '../../src/qoe';
import { trialProcesses } from './children';
import { playerOf, smallScenario } from './scenario';
import { playTrial } from './trial';

const players = [
  playerOf('multipath'),
  playerOf('multipath', { id: 'multipath@model', carriage: { kind: 'policy', policy: 'model' } }),
  playerOf('dynamic', { id: 'dynamic@tcp', carriage: { kind: 'tcp' } }),
  playerOf('bola', { id: 'bola@lte', carriage: { kind: 'path', path: 'lte' } }),
  playerOf('l2a'),
  playerOf('lolp'),
  playerOf('shaka', { bufferTargetMs: 20_000 }),
  playerOf('multipath', { id: 'electron@mptcp', app: 'electron' }),
];

test.afterEach(() => expect(trialProcesses()).toEqual([]));

for (const player of players) {
  test(`${player.id} plays a trial that metrics can be computed from`, async ({}, info) => {
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

/** The wide paths leave no reason to stay at the bottom: whoever cannot adapt shows here. */
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
