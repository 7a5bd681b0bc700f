import { expect, it } from 'vitest';
import { lostTrials, trialsCounted } from './trial-counts';
import type { TrialResult, TrialStatus } from './types';

const trial = (player: string, status: TrialStatus): TrialResult =>
  ({ player, status }) as TrialResult;

const results = {
  players: ['ours', 'bola', 'soda'],
  trials: [
    trial('ours', 'ok'),
    trial('ours', 'ok'),
    trial('bola', 'failed'),
    trial('bola', 'cut'),
    trial('soda', 'ok'),
    trial('soda', 'missing'),
  ],
};

it('counts the trials of each player', () => {
  expect(trialsCounted(results)).toEqual(['Trials counted', '2 of 2', '0 of 2', '1 of 2']);
});

it('names the trials that do not count, by player and status', () => {
  expect(lostTrials(results)).toEqual(['bola 1 failed, 1 cut off', 'soda 1 missing']);
  expect(lostTrials({ ...results, players: ['ours'] })).toEqual([]);
});
