import { expect, test } from 'vitest';
import { abrChoices, type AbrChoice } from '../../sdk';
import { ruleLabel } from './rule-names';

test('every bitrate rule has a text of its own', () => {
  expect(new Set(abrChoices.map(ruleLabel)).size).toBe(abrChoices.length);
});

test('a rule without words shows its name', () => {
  expect(ruleLabel('unnamed' as AbrChoice)).toBe('unnamed');
});
