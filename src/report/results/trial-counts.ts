import type { ScenarioResults, TrialResult, TrialStatus } from './types';

type Trials = Pick<ScenarioResults, 'players' | 'trials'>;

const LOST: readonly { status: TrialStatus; text: string }[] = [
  { status: 'failed', text: 'failed' },
  { status: 'cut', text: 'cut off' },
  { status: 'missing', text: 'missing' },
];

const of = (trials: readonly TrialResult[], player: string, status?: TrialStatus): number =>
  trials.filter((one) => one.player === player && one.status === (status ?? one.status)).length;

/** A row of the table of means: trials that count, of those planned. */
export function trialsCounted({ players, trials }: Trials): string[] {
  return [
    'Trials counted',
    ...players.map((player) => `${of(trials, player, 'ok')} of ${of(trials, player)}`),
  ];
}

/** The trials that do not count, by player and status: `ours 2 failed, 1 missing`; empty without any. */
export function lostTrials({ players, trials }: Trials): string[] {
  return players.flatMap((player) => {
    const parts = LOST.flatMap(({ status, text }) => {
      const count = of(trials, player, status);
      return count === 0 ? [] : [`${count} ${text}`];
    });
    return parts.length === 0 ? [] : [`${player} ${parts.join(', ')}`];
  });
}
