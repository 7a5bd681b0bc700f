import type { Scenario, TrialPlan } from '../../scenario';

/** Returns the turns of a scenario's run, in order. */
export function planTrials(scenario: Pick<Scenario, 'players' | 'trials' | 'seed'>): TrialPlan[] {
  const players = scenario.players.map(({ id }) => id);
  const width = String(players.length * scenario.trials).length;
  // Each trial starts with another player. Drift (heat, caches, a neighbour's load) then affects all alike.
  return Array.from({ length: scenario.trials }, (_, trial) =>
    players.map((_player, turn) => {
      const player = players[(turn + trial) % players.length] ?? '';
      const number = trial * players.length + turn + 1;
      return {
        number,
        player,
        trial: trial + 1,
        seed: (scenario.seed + trial) % 4_294_967_296,
        folder: `trials/${String(number).padStart(width, '0')}-${player}`,
      };
    }),
  ).flat();
}
