import { expect, test } from 'vitest';
import { POLICY_NAMES } from '../core';
import { createPolicy, policies } from './registry';
import { definePolicy } from './define-policy';
import { PolicyConfigError } from './policy';
import { observation, path } from './testing/observations';

const firstByName = definePolicy<null, object>({
  name: 'first-by-name',
  summary: 'The network that comes first in the alphabet',
  defaults: {},
  limits: {},
  start: () => null,
  rule: (memory, { live }) => {
    const first = live.map(({ pathId }) => pathId).sort()[0] ?? '';
    return { memory, active: [first], reason: `${first} comes first` };
  },
});

test('finds each policy by its name, and no other', () => {
  for (const { name, summary } of policies) {
    expect(createPolicy(name)).toMatchObject({ name, summary });
  }
  expect(new Set(policies.map(({ name }) => name)).size).toBe(policies.length);
  const known = policies.map(({ name }) => name).join(', ');
  expect(() => createPolicy('best')).toThrow(`no path policy "best"; choose one of: ${known}`);
});

test('every name of the scenario format and the command line has its policy', () => {
  expect(policies.map(({ name }) => name).sort()).toEqual([...POLICY_NAMES].sort());
});

test('a user-defined policy is used like the others', () => {
  const policy = createPolicy('first-by-name', {}, [...policies, firstByName]);
  const paths = [path('wifi', 5e6), path('lte', 1e6)];
  const { desired, reason } = policy.decide(policy.initial(), observation(0, paths));
  expect(Object.fromEntries(desired)).toEqual({ wifi: 'backup', lte: 'active' });
  expect(reason).toBe('lte comes first');
});

test('a rule without an active path is corrected, and the reason reports it', () => {
  const careless = { ...firstByName, name: 'careless' };
  const policy = createPolicy('first-by-name', {}, [firstByName, careless]);
  const paths = [path('b', 5e6), path('a', 0, { state: 'connecting' }), path('c', 6e6)];
  const none = definePolicy<null, object>({
    name: 'none',
    summary: '',
    defaults: {},
    limits: {},
    start: () => null,
    rule: (memory) => ({ memory, active: ['a', 'gone'], closed: ['b', 'c'], reason: 'why\nnot' }),
  });
  const { desired, reason } = none.decide(none.initial(), observation(0, paths));
  expect(Object.fromEntries(desired)).toEqual({ a: 'active', b: 'closed', c: 'active' });
  expect(reason).toBe('kept c: no other network is left (why not)');
  expect(policy.name).toBe('first-by-name');
});

test('settings are checked, and named when invalid', () => {
  const wrong = (config: object) => () => createPolicy('path-use-decision', config);
  expect(wrong({ rho: 1.5 })).toThrow(
    'path-use-decision: rho must be a number from 0 to 1, got 1.5',
  );
  expect(wrong({ rho: NaN })).toThrow(PolicyConfigError);
  expect(wrong({ n: '150' })).toThrow('n must be a number from 1 to 10000, got "150"');
  expect(wrong({ row: 0.6 })).toThrow(/unknown setting "row"; there are: n, rho/);
  expect(wrong({ rho: null })).toThrow(PolicyConfigError);
  expect(() => createPolicy('all', { n: 1 })).toThrow(/there are: none/);
  expect(() => createPolicy('metered', { budgetBytes: null })).not.toThrow();
  expect(() => createPolicy('sticky-throughput-rtt', { rttAsPrinted: 1 })).toThrow(/true or false/);
});

test("refuses another policy's state", () => {
  const state = createPolicy('all').initial();
  const decide = () => createPolicy('genetic').decide(state, observation(0, []));
  expect(decide).toThrow('the state is of policy "all"');
});
