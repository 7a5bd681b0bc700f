/* eslint-disable no-empty-pattern -- Playwright reads the required fixtures from the pattern; these require none */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { nightly } from '../support/nightly';
import { trialProcesses } from './children';
import { playerOf, smallScenario } from './scenario';
import { playTrial } from './trial';

test.afterEach(() => expect(trialProcesses()).toEqual([]));

test(
  'the sender takes the slow path out of use, and the stream plays on over the other',
  nightly,
  async ({}, info) => {
    const { topology } = smallScenario();
    const slow = { ...topology.links[1], ab: link(1e6), ba: link(1e6) };
    const scenario = smallScenario({
      topology: { ...topology, links: [topology.links[0], slow] as typeof topology.links },
      server: {
        http: 'http1',
        tls: false,
        mptcp: true,
        pathUse: { samples: 10, rho: 0.6, periodMs: 100 },
      },
      durationMs: 15_000,
    });
    const { record, dir, log } = await playTrial(info, scenario, playerOf('throughput'));
    expect(record).toMatchObject({ outcome: 'ok' });
    const lines = readFileSync(path.join(dir, 'path-use.jsonl'), 'utf8').trim().split('\n');
    const changes = lines.map((line) => JSON.parse(line) as { backup: boolean; reason: string });
    expect(changes[0]).toMatchObject({
      backup: true,
      reason: expect.stringContaining('not above'),
    });
    // The client sees the server's wish: MP_PRIO made its subflow a backup.
    const states = log().flatMap((event) =>
      event.type === 'samples'
        ? event.batch.connections.flatMap(({ subflows }) =>
            subflows.flatMap(({ pathId, state }) => (pathId === 'lte' ? [state] : [])),
          )
        : [],
    );
    expect(states).toContain('backup');
  },
);

function link(rateBps: number) {
  return { rateBps, delayMs: 60, queue: { discipline: 'droptail' } as const, queueBytes: 60_000 };
}
