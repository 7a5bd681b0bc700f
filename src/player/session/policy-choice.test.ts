import { expect, it } from 'vitest';
import type { CarriageKind } from '../../core';
import type { TransportMessage } from '../../ports';
import { PolicyChoice, type PolicyChoiceOptions } from './policy-choice';

const over = (carriage: CarriageKind): TransportMessage & { type: 'carriage' } => ({
  type: 'carriage',
  report: { carriage, reason: '', networks: [], inOrderBytes: 0 },
});

/** The policy before any report, then after each of them. */
function policies(options: PolicyChoiceOptions, ...carriages: CarriageKind[]): string[] {
  const choice = new PolicyChoice(options);
  return [
    choice.brainConfig().policy,
    ...carriages.map(
      (carriage) => choice.carriedBy(over(carriage))?.policy ?? choice.brainConfig().policy,
    ),
  ];
}

it('uses the policy `all` over byte ranges, and `model` over MPTCP', () => {
  expect(policies({}, 'ranges', 'mptcp', 'single', 'ranges')).toEqual([
    ...['model', 'all', 'model', 'model', 'all'],
  ]);
});

it('keeps the policy that the viewer chose, and the one of a costly network', () => {
  expect(policies({ policy: 'single-best' }, 'ranges')).toEqual(['single-best', 'single-best']);
  const networks = [{ network: 'lte', metered: true }];
  expect(policies({ networks }, 'ranges')).toEqual(['metered', 'metered']);
});

it('reports a configuration only where it differs', () => {
  const choice = new PolicyChoice({});
  expect(choice.carriedBy(over('ranges'))).toMatchObject({ policy: 'all' });
  expect(choice.carriedBy(over('ranges'))).toBeUndefined();
});

it('reports the carriage to the planner also where the viewer chose the policy', () => {
  const choice = new PolicyChoice({ policy: 'single-best' });
  expect(choice.carriedBy(over('mptcp'))).toBeUndefined();
  const byRanges = { policy: 'single-best', carriage: 'ranges' };
  expect(choice.carriedBy(over('ranges'))).toMatchObject(byRanges);
  expect(choice.carriedBy(over('mptcp'))).not.toHaveProperty('carriage');
});

it('keeps its policy and its networks if the brain refuses the new ones', () => {
  const choice = new PolicyChoice({ policy: 'model' });
  const refuse = (): never => {
    throw new Error('unknown');
  };
  expect(() => choice.pin('nonsense', refuse)).toThrow('unknown');
  expect(() => choice.wish([{ network: 'lte', metered: true }], refuse)).toThrow('unknown');
  expect(choice.brainConfig()).toMatchObject({ policy: 'model' });
  expect(choice.brainConfig()).not.toHaveProperty('networks');
  choice.pin('metered', (config) => expect(config.policy).toBe('metered'));
  expect(choice.brainConfig().policy).toBe('metered');
});
