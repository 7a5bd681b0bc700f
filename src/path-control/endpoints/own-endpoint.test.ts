import { describe, expect, it } from 'vitest';
import type { MptcpEndpoint } from '../../kernel';
import { isBackup, ownEndpoint, replacementsOf, withBackup } from './own-endpoint';

const link = (...addresses: string[]): { index: number; addresses: string[] } => ({
  index: 3,
  addresses,
});
const lost = (address: string, backup = false): MptcpEndpoint =>
  withBackup(ownEndpoint(address, 3), backup);
const addressesOf = (endpoints: readonly MptcpEndpoint[]): string[] =>
  endpoints.map(({ address }) => address);

describe('endpoints for a network whose address changed', () => {
  it('stand at the new address, as a backup where the old one was', () => {
    const [made] = replacementsOf(link('10.0.2.7'), [lost('10.0.2.2', true)], new Set());
    expect(made).toMatchObject({ address: '10.0.2.7', interfaceIndex: 3, endpointId: 0 });
    expect(made && isBackup(made)).toBe(true);
  });

  it('are one of each family, and none of a family that had none', () => {
    const both = link('10.0.2.7', '10.0.2.8', 'fe80::1', 'fd00::7');
    expect(addressesOf(replacementsOf(both, [lost('10.0.2.2')], new Set()))).toEqual(['10.0.2.7']);
    const two = [lost('10.0.2.2'), lost('fd00::2')];
    expect(addressesOf(replacementsOf(both, two, new Set()))).toEqual(['10.0.2.7', 'fd00::7']);
  });

  it('are not made beside an existing one, nor for an unwanted network', () => {
    const there = link('10.0.2.7', '10.0.2.8');
    expect(replacementsOf(there, [lost('10.0.2.2')], new Set(['10.0.2.8']))).toEqual([]);
    expect(replacementsOf(link(), [lost('10.0.2.2')], new Set())).toEqual([]);
    expect(replacementsOf(link('fe80::2'), [lost('fd00::2')], new Set())).toEqual([]);
  });

  it('take over the last wanted state', () => {
    const [made] = replacementsOf(
      link('10.0.2.9'),
      [lost('10.0.2.2'), lost('10.0.2.7', true)],
      new Set(),
    );
    expect(made && isBackup(made)).toBe(true);
  });
});
