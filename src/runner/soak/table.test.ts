import { expect, it } from 'vitest';
import type { BudgetVerdict, SoakFigure } from './budgets';
import { createRecord, type SoakRecord } from './record';
import { soakOutcome } from './table';
import { noViewerRecord } from './viewer';

const judged = (verdict?: BudgetVerdict): SoakFigure => ({
  ...{ role: 'agent', figure: 'memory', unit: 'MB', first: 1, last: 1 },
  ...(verdict === undefined ? {} : { verdict }),
});

function record(figures: SoakFigure[], log: BudgetVerdict): SoakRecord {
  const settings = { forMs: 1000, warmUpMs: 0, seed: 1, play: [] };
  const run = { startedAt: '', machine: {}, settings, viewer: noViewerRecord() };
  const empty = createRecord({ ...run, ended: 'done' }, [], []);
  return { ...empty, figures, log: { ...empty.log, verdict: log } };
}

it('says how many figures were not judged', () => {
  const outcome = (...verdicts: (BudgetVerdict | undefined)[]): string =>
    soakOutcome(record(verdicts.map(judged), 'ok'));
  expect(outcome('ok', 'undecided', undefined)).toBe('no budget exceeded');
  expect(outcome('ok', 'short', undefined)).toBe(
    'no budget exceeded; 1 of 3 figures had too little time to be judged',
  );
  expect(outcome('over', 'short')).toBe(
    'over: agent memory; 1 of 3 figures had too little time to be judged',
  );
});

it('does not take a run without a judged figure for one within its budgets', () => {
  expect(soakOutcome(record([judged('short'), judged()], 'short'))).toContain(
    'no figure was judged',
  );
});
