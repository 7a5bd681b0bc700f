import type { Name, Scenario } from '../scenario';
import { linkCapacity, type CapacityOptions } from './link-capacity';
import { combineProfiles, type RateProfile } from './rate-profile';

/** What the paths of a scenario can carry from the server to the client, over time. */
export interface PathCapacities {
  /** Of all paths together; a link that several use counts once. */
  all: RateProfile;
  byPath: ReadonlyMap<Name, RateProfile>;
}

/**
 * Capacity of each path (the least of its links) and of the set. Queues and propagation are left out: a fluid that
 * arrives at once, so never less than what packets can do in the long run. Background traffic is not subtracted.
 * @throws RangeError for a path over a link or from a node that the topology does not have
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
      // Seen from the client: media come the other way.
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
 * The least capacity of links that together cut every path. This is the most that flows over the paths can sum to
 * wherever shared links nest (one bottleneck behind several access links, or none at all), and never less than it.
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
