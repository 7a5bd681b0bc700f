import { pickScheduler, withRoom } from '../pick-scheduler';

/**
 * The network with the shortest round trip that has room: MPTCP's earlier default scheduler, with chunks in place
 * of packets.
 */
export const shortestRtt = pickScheduler<null>({
  name: 'shortest-rtt',
  summary: 'Each chunk over the network with the shortest round trip that has room',
  start: () => null,
  pick: (memory, able) => ({
    memory,
    worker: able.filter(withRoom).sort((a, b) => a.rttMs - b.rttMs)[0],
  }),
});
