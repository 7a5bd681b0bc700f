import type { Name, Scenario } from '../scenario';
import { linkCapacity, type CapacityOptions } from './link-capacity';
import { combineProfiles, type RateProfile } from './rate-profile';

/** Capacity of a scenario's paths from the server to the client, over time. */
export interface PathCapacities {
  /** Capacity of all paths together; a shared link counts once. */
  all: RateProfile;
  byPath: ReadonlyMap<Name, RateProfile>;
}

/**
 * Capacity of each path (the minimum of its links) and of the set. Queues and propagation are left out: a
 * fluid arrives at once, so the capacity is never less than packets reach in the long run. Background traffic
 * is not subtracted.
 * @throws RangeError for a path over an unknown link or from an unknown node
 */
export function pathCapacities(
  { topology, events }: Pick<Scenario, 'topology' | 'events'>,
  options: CapacityOptions,
): PathCapacities {
  const client = topology.nodes.find((node) => node.role === 'client');
  if (!client) throw new RangeError('the topology has no client');
  const links = new Map<string, { profile: RateProfile; paths: number }>();
  const byPath = new Map<Name, RateProfile>();
  for (const [index, path] of topology.paths.entries()) {
    let node = client.id;
    const own: RateProfile[] = [];
    for (const id of path.via) {
      const link = topology.links.find((one) => one.id === id);
      if (!link || (link.a !== node && link.b !== node)) {
        throw new RangeError(`path ${path.id}: there is no link ${id} at ${node}`);
      }
      // From the client's side: media flow in the reverse direction.
      const direction = link.a === node ? 'ba' : 'ab';
      node = link.a === node ? link.b : link.a;
      const key = `${id} ${direction}`;
      const known = links.get(key) ?? {
        profile: linkCapacity(link, direction, events, options),
        paths: 0,
      };
      links.set(key, { ...known, paths: known.paths | (1 << index) });
      own.push(known.profile);
    }
    byPath.set(
      path.id,
      combineProfiles(own, (rates) => Math.min(...rates)),
    );
  }
  return { all: setCapacity([...links.values()], topology.paths.length), byPath };
}

/**
 * The least capacity of links that together cut every path. This equals the maximum sum of flows if shared
 * links nest (one bottleneck behind several access links, or none), and is never less than it.
 */
function setCapacity(
  links: readonly { profile: RateProfile; paths: number }[],
  count: number,
): RateProfile {
  const everything = (1 << count) - 1;
  const cut = new Float64Array(everything + 1);
  return combineProfiles(
    links.map((link) => link.profile),
    (rates) => {
      cut.fill(Infinity);
      cut[0] = 0;
      for (let covered = 0; covered < everything; covered += 1) {
        const soFar = cut[covered] ?? Infinity;
        if (soFar === Infinity) continue;
        for (const [i, link] of links.entries()) {
          const next = covered | link.paths;
          cut[next] = Math.min(cut[next] ?? Infinity, soFar + (rates[i] ?? 0));
        }
      }
      return cut[everything] ?? 0;
    },
  );
}
