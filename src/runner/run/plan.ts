import type { Scenario, TrialPlan } from '../../scenario';

/** Returns the trials of a scenario's run, in order. */
export function planTrials(scenario: Pick<Scenario, 'players' | 'trials' | 'seed'>): TrialPlan[] {
  const players = scenario.players.map(({ id }) => id);
  const width = String(players.length * scenario.trials).length;
  // Each repetition starts with another player. Drift (heat, caches, a neighbour's load) then affects all alike.
  return Array.from({ length: scenario.trials }, (_, repetition) =>
    players.map((_player, place) => {
      const player = players[(place + repetition) % players.length] ?? '';
      const number = repetition * players.length + place + 1;
      return {
        number,
        player,
        trial: repetition + 1,
        seed: (scenario.seed + repetition) % 4_294_967_296,
        folder: `trials/${String(number).padStart(width, '0')}-${player}`,
      };
    }),
  ).flat();
}
