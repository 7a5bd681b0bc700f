import type { CapacityProfile } from '../../optimum';
import {
  congestionControls,
  MptcpConnection,
  schedulers,
  SimNetwork,
  Simulation,
  every,
} from '../../sim';
import type { PairScenario } from './networks';

/** Resolution of the profile. A segment of the lowest rung takes longer at any rate of the ladder. */
const STEP_NS = 250e6;
/** More than any pair delivers. */
const ENDLESS_BYTES = 1e12;
/** Size of a request, as the simulator's HTTP client sends it. */
const REQUEST_BYTES = 350;

/**
 * The rate that one connection with a single endless download achieves over both paths, as capacity over
 * time: what a player gains at most by never letting its connection idle.
 */
export function busyProfile(
  scenario: PairScenario,
  seed: number,
  untilMs: number,
): CapacityProfile {
  const simulation = new Simulation(seed);
  const network = new SimNetwork(simulation, scenario.topology);
  network.follow(scenario.events);
  const connection = new MptcpConnection(simulation, {
    paths: network.paths,
    flow: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
  });
  const { client, server } = connection;
  const profile = { atMs: [0], rateBps: [0] };
  let before = 0;
  every(simulation, STEP_NS, () => {
    const bytes = client.receivedBytes - before;
    before = client.receivedBytes;
    profile.rateBps[profile.rateBps.length - 1] = (bytes * 8e9) / STEP_NS;
    profile.atMs.push(simulation.nowNs / 1e6);
    profile.rateBps.push(0);
  });
  server.onReceive = () => {
    server.send(ENDLESS_BYTES);
  };
  connection.connect();
  client.send(REQUEST_BYTES);
  simulation.run(untilMs * 1e6);
  return profile;
}
