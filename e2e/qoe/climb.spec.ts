/* eslint-disable no-empty-pattern -- Playwright reads the required fixtures from the pattern; these require none */
import { expect, test, type TestInfo } from '@playwright/test';
import type { LogEvent } from '../../src/session-log';
import { trialProcesses } from './children';
import { playerOf, smallScenario } from './scenario';
import { playTrial } from './trial';

/** Ten seconds of film. */
const FIRST_SEGMENTS = 5;
const SECONDS = 6;
/** Of the mean bitrate of dash.js's default rules over the same network. */
const LEAST_SHARE = 0.85;
/** A busy machine delays one of two players at random. A slow climb shows in each pair. */
const PAIRS = 3;

/** Two paths of 25 Mbit/s: a segment of a low rung arrives within one sample of the paths. */
function fastScenario() {
  const { topology } = smallScenario();
  const fast = { rateBps: 25e6 };
  const links = topology.links.map((link) => ({
    ...link,
    ab: { ...link.ab, ...fast },
    ba: { ...link.ba, ...fast },
  }));
  return smallScenario({ durationMs: SECONDS * 1000, topology: { ...topology, links } });
}

async function firstMeanBps(info: TestInfo, abr: 'multipath' | 'dynamic', pair: number) {
  const player = playerOf(abr, { id: `${abr}-${String(pair)}` });
  const { record, log } = await playTrial(info, fastScenario(), player);
  expect(record.outcome).toBe('ok');
  const bitratesBps = videoBitratesBps(log()).slice(0, FIRST_SEGMENTS);
  expect(bitratesBps).toHaveLength(FIRST_SEGMENTS);
  return bitratesBps.reduce((sum, bps) => sum + bps, 0) / FIRST_SEGMENTS;
}

/** Of the segments in the order of the film; of a segment fetched twice, the last. */
function videoBitratesBps(log: readonly LogEvent[]): number[] {
  const byStart = new Map<number, number>();
  for (const event of log) {
    if (event.type !== 'request' || event.kind !== 'media' || event.mediaType !== 'video') continue;
    if (event.outcome === 'ok') byStart.set(event.mediaStartMs ?? 0, event.bitrateBps ?? 0);
  }
  return [...byStart].sort(([a], [b]) => a - b).map(([, bps]) => bps);
}

test.afterEach(() => expect(trialProcesses()).toEqual([]));

test('climbs over a fast network as dash.js does', async ({}, info) => {
  test.setTimeout(PAIRS * 120_000);
  const shares: number[] = [];
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    const ours = await firstMeanBps(info, 'multipath', pair);
    shares.push(ours / (await firstMeanBps(info, 'dynamic', pair)));
    if (shares.some((share) => share >= LEAST_SHARE)) return;
  }
  expect(shares, 'mean bitrate of the first segments, as share of dash.js’s').toEqual([]);
});
