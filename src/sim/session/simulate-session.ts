import type { LogEvent } from '../../session-log';
import { startBackground } from '../apps/background';
import { Simulation } from '../engine/simulation';
import { SimNetwork } from '../network/sim-network';
import { SimSession } from './session';
import type { SimSessionOptions } from './session-options';

/**
 * Simulates one session of a scenario with its traffic and events. It uses the player's brain, simulated
 * MPTCP, and the same log. Times in the log are simulated; `config.settings.simulated` marks this.
 */
export function simulateSession(options: SimSessionOptions): LogEvent[] {
  const { scenario } = options;
  const simulation = new Simulation(options.seed);
  const network = new SimNetwork(simulation, scenario.topology);
  network.follow(scenario.events);
  const controlOf = (node: string): string =>
    scenario.topology.nodes.find(({ id }) => id === node)?.congestionControl ?? 'cubic';
  startBackground(simulation, network, scenario.traffic, controlOf);
  simulation.run((options.pageLoadMs ?? 0) * 1e6);
  const session = new SimSession(options, { simulation, network, onEnd: () => simulation.stop() });
  session.begin();
  // Limit for a player that never starts: three times its playing time, and a minute.
  const patienceNs = (3 * scenario.durationMs + 60_000) * 1e6;
  const endNs = (): number => Math.min(session.endAtNs, patienceNs);
  while (simulation.nowNs < endNs() && !session.isOver) {
    simulation.run(Math.min(endNs(), simulation.nowNs + 1e9));
  }
  return session.finish();
}
