import { describe, expect, it } from 'vitest';
import { explainedBy, withSimulatedReasons } from './explain';
import type { ExperimentClaim } from './types';

const claim = (agrees: boolean | null, ours = '2 beside 1', why?: string): ExperimentClaim => ({
  place: 'Fig. 1',
  paper: 'less',
  ours,
  agrees,
  ...(why === undefined ? {} : { why }),
});

/** The reason given for a claim that differs, with changes as `[label, verdict, verdict without the change]`. */
function whyWith(
  changes: readonly [string, boolean | null | undefined, boolean | null][],
  why?: string,
): string | undefined {
  const ablated = changes.map(([label, changed, beside]) => ({
    label,
    claims: [changed === undefined ? undefined : claim(changed, '1 beside 3')],
    beside: [claim(beside)],
  }));
  return explainedBy([claim(false, '2 beside 1', why)], ablated)[0]?.why;
}

describe('why a statement differs', () => {
  it('is the change with which it agrees, if the same trials differ without it', () => {
    expect(whyWith([['A', true, false]])).toBe('With A it agrees: 1 beside 3.');
    expect(whyWith([['A', true, null]])).toBe(
      'No change is shown to turn it. It agrees, undecided without the change: A.',
    );
  });

  it('is no change with which the same trials agree anyway', () => {
    expect(
      whyWith([
        ['A', true, true],
        ['B', false, null],
      ]),
    ).toBe(
      'No change is shown to turn it. Its trials agree with and without: A. It differs still with each of: B.',
    );
  });

  it('is open where a change lacks trials, also if the same trials without it do', () => {
    expect(
      whyWith([
        ['A', null, null],
        ['B', false, false],
        ['C', false, null],
      ]),
    ).toBe(
      'No change is shown to turn it. These trials do not decide it with: A. It differs still with each of: B; C.',
    );
  });

  it('is the cause, whatever other changes do', () => {
    expect(
      whyWith([
        ['A', true, false],
        ['B', null, false],
        ['C', false, false],
      ]),
    ).toBe('With A it agrees: 1 beside 3. These trials do not decide it with: B.');
  });

  it('leaves out changes that were not tried, and keeps a reason that is there', () => {
    expect(whyWith([['A', undefined, false]])).toBeUndefined();
    expect(whyWith([['A', undefined, false]], 'Too few.')).toBe('Too few.');
    expect(whyWith([['B', false, false]], 'Too few.')).toBe(
      'Too few. It differs still with each of: B.',
    );
  });

  it('is asked of statements that differ only', () => {
    const agreeing = [claim(true), claim(null)];
    const ablated = [{ label: 'A', claims: agreeing, beside: agreeing }];
    expect(explainedBy(agreeing, ablated)).toEqual(agreeing);
  });
});

describe('the simulator’s reason for a statement of the lab', () => {
  const own = (lab: ExperimentClaim, simulated: ExperimentClaim): string | undefined =>
    withSimulatedReasons([lab], [simulated])[0]?.why;

  it('is shown where both differ, and says where it is from', () => {
    expect(own(claim(false), claim(false, '2 beside 1', 'With A it agrees.'))).toBe(
      'Simulated: With A it agrees.',
    );
  });

  it('is no reason if it is the size of the simulator’s effect', () => {
    const small = "The sign is the paper's, the size is below the margin.";
    expect(own(claim(false), claim(false, '', small))).toBeUndefined();
    expect(own(claim(false), claim(false, '', `${small} With A it agrees.`))).toBe(
      'Simulated: With A it agrees.',
    );
  });

  it('is not shown for another verdict or another statement, nor beside a cause found in the lab', () => {
    expect(own(claim(null), claim(false, '', 'With A it agrees.'))).toBeUndefined();
    expect(own(claim(false), claim(null, '', 'About 9 runs decide it.'))).toBeUndefined();
    const other = { ...claim(false, '', 'With A it agrees.'), place: 'Fig. 2' };
    expect(own(claim(false), other)).toBeUndefined();
    const found = 'With B it agrees: 1 beside 3.';
    expect(own(claim(false, '', found), claim(false, '', 'With A it agrees.'))).toBe(found);
    const still = 'It differs still with each of: B.';
    expect(own(claim(false, '', still), claim(false, '', 'With A it agrees.'))).toBe(
      `${still} Simulated: With A it agrees.`,
    );
  });
});
