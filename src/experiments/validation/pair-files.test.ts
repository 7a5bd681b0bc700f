import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseScenario } from '../../scenario';
import { pairScenario } from './networks';
import { pairFiles } from './pair-files';
import { drawPairs, PAIR_KINDS } from './pairs';

const scenarios = path.resolve(import.meta.dirname, '../../../scenarios');
const read = (file: string): string => readFileSync(path.join(scenarios, file), 'utf8');

it.each(PAIR_KINDS)('a pair of the kind %s is the same network in the lab', (kind) => {
  const pairs = drawPairs({ set: 'training', kind, count: 6, seed: 9, seconds: 80, read });
  for (const pair of pairs) {
    const files = pairFiles(pair, 60);
    const name = `${kind}-${pair.number}.yaml`;
    const scenario = parseScenario(files.get(name) ?? '', name, {
      files: { resolve: (file) => file, read: (file) => files.get(file) ?? '' },
    });
    const simulated = pairScenario({ key: name, pair, durationMs: 60_000 });
    const links = (one: Pick<typeof scenario, 'topology'>): unknown =>
      one.topology.links.map(({ id, ab, ba }) =>
        [ab, ba].map(({ delayMs, lossRatio, queue, queueBytes, trace }) => ({
          ...{ id, delayMs, lossRatio, queue, queueBytes, steps: trace?.steps },
        })),
      );
    expect(links(scenario)).toEqual(links(simulated));
    expect(scenario.durationMs).toBe(60_000);
    if (pair.film) expect(scenario.media).toMatchObject({ segmentMs: pair.film.segmentMs });
    // Times of changes are whole milliseconds there, and none is at the end.
    const changes = simulated.events.filter(({ atMs }) => atMs < 59_900);
    expect(scenario.events).toHaveLength(changes.length);
    scenario.events.forEach((event, index) => {
      expect(Math.abs(event.atMs - (changes[index]?.atMs ?? 0))).toBeLessThanOrEqual(0.5);
      expect(event).toMatchObject({ kind: 'link-state' });
    });
  }
});
