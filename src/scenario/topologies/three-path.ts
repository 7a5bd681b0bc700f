import { TopologyError } from '../topology-error';
import type { AccessLinkOptions, ThreePathOptions } from '../topology-source';
import type { Topology } from '../types';
import { expandMultihomed } from './multihomed';

/** Round trips and the first path's loss, from Table II; every path has 2 Mbit/s. */
const VARIANTS = {
  baseline: { rttsMs: [50, 100, 100], lossRatio: 0 },
  '3p-50': { rttsMs: [50, 100, 100], lossRatio: 0.02 },
  '3p-150': { rttsMs: [150, 200, 200], lossRatio: 0.02 },
} as const;
const RATE_BPS = 2_000_000;
/** Fig. 3: two access points, of 802.11a and 802.11g, and a wired link. */
const NAMES = ['wifi5', 'wifi24', 'wired'] as const;

function paperPath(id: string, rttMs: number, lossRatio: number): AccessLinkOptions {
  const direction = {
    rateBps: RATE_BPS,
    delayMs: rttMs / 2,
    queue: { discipline: 'droptail' },
  } as const;
  // The losses apply to the media direction; requests and acknowledgements are not lost.
  return { id, up: direction, down: { ...direction, lossRatio } };
}

/** @throws TopologyError */
export function expandThreePath({ variant, paths = [], ...common }: ThreePathOptions): Topology {
  const strange = paths.findIndex(({ id }) => !NAMES.some((name) => name === id));
  if (strange >= 0) {
    throw new TopologyError(
      ['paths', strange, 'id'],
      `"${paths[strange]?.id ?? ''}" is none of ${NAMES.join(', ')}`,
    );
  }
  const { rttsMs, lossRatio } = VARIANTS[variant];
  return expandMultihomed({
    ...common,
    paths: NAMES.map(
      (name, index) =>
        paths.find(({ id }) => id === name) ??
        paperPath(name, rttsMs[index] ?? 0, index === 0 ? lossRatio : 0),
    ),
  });
}
