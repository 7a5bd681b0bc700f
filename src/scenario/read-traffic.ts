import type { TrafficFormat } from './format';
import { notKnown } from './near-name';
import type { ReadContext } from './problems';
import { given } from './read-link';
import { type CallsSpec, type Topology, type TrafficSpec, WEB_OBJECT_BYTES } from './types';

function intensityOf(written: TrafficFormat): number {
  switch (written.kind) {
    case 'ftp':
      return written.connections ?? 1;
    case 'web':
      return written.perSecond ?? 1;
    case 'voip': {
      const { calls, perSecond, hold = CALL_MS } = written;
      // Twice what comes at that rate: the rate alone decides.
      return calls ?? (perSecond === undefined ? 1 : Math.ceil((2 * perSecond * hold) / 1000));
    }
  }
}

/** Length of a call, and calls begun a second where only their number is given. */
const CALL_MS = 10_000;

function callsFrom(written: Extract<TrafficFormat, { kind: 'voip' }>): CallsSpec {
  const { perSecond, hold: holdMs = CALL_MS, ports } = written;
  const rate = perSecond ?? Math.max(Math.ceil(intensityOf(written) / 2), 1);
  return { perSecond: rate, holdMs, ports: ports ?? 'each' };
}

/** The name of traffic that has none in the file. */
export const trafficId = (kind: TrafficFormat['kind'], index: number): string =>
  `${kind}-${index + 1}`;

/** @param endMs playing time of a trial: traffic that starts after it is a mistake */
export function trafficFrom(
  written: readonly TrafficFormat[],
  topology: Topology,
  endMs: number,
  { problems }: ReadContext,
): TrafficSpec[] {
  const nodes = topology.nodes.filter(({ role }) => role !== 'router').map(({ id }) => id);
  const ids = new Set<string>();
  return written.map((entry, index): TrafficSpec => {
    const path = ['traffic', index];
    const { kind, id = trafficId(kind, index), from, to, start = 0 } = entry;
    if (ids.has(id)) problems.add([...path, 'id'], `there is traffic called ${id} already`);
    ids.add(id);
    if (start >= endMs) {
      problems.add([...path, 'start'], `is not before the end, ${endMs / 1000} s (duration)`);
    }
    for (const [key, node] of [
      ['from', from],
      ['to', to],
    ] as const) {
      if (!nodes.includes(node)) problems.add([...path, key], notKnown(node, 'a host', nodes));
    }
    if (from === to) problems.add([...path, 'to'], 'is the node it comes from');
    return {
      id,
      kind,
      from,
      to,
      startMs: start,
      intensity: intensityOf(entry),
      ...given({ durationMs: entry.for }),
      ...(entry.kind === 'ftp' ? given({ rateBps: entry.rate }) : {}),
      ...(entry.kind === 'voip' ? { calls: callsFrom(entry) } : {}),
      ...(entry.kind === 'web' ? { objectBytes: entry.object ?? WEB_OBJECT_BYTES } : {}),
    };
  });
}
