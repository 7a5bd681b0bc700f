import { walkAlong, clientOf, type Scenario } from '../../../src/scenario';

/** TCP payload of a full packet: 1500 bytes less IPv4, TCP and time stamps (RFC 7323). */
const PAYLOAD_SHARE = 1448 / 1500;

/**
 * The payload rate of all links towards the client; undefined where a rate changes, paths share a link or other
 * traffic takes a part.
 */
export function payloadBps({ topology, events, traffic }: Scenario): number | undefined {
  const links = topology.paths.flatMap(({ via }) => [...via]);
  const isShared = new Set(links).size < links.length;
  if (isShared || events.length > 0 || traffic.length > 0) return undefined;
  let sum = 0;
  for (const { via } of topology.paths) {
    const walk = walkAlong(topology, clientOf(topology), via);
    if (!walk.ok) return undefined;
    const rates = via.map((id, index) => {
      const link = topology.links.find((one) => one.id === id);
      const towardsClient = link?.a === walk.nodes[index] ? link?.ba : link?.ab;
      return towardsClient?.trace === undefined ? (towardsClient?.rateBps ?? Infinity) : NaN;
    });
    sum += Math.min(...rates);
  }
  return Number.isFinite(sum) ? sum * PAYLOAD_SHARE : undefined;
}
