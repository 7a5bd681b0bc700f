import { describe, expect, it } from 'vitest';
import type { WantedPathState } from '../core';
import { isSpent, spentReason, termsOf, type TermsSource } from './network-terms';

const source = (
  wanted: Record<string, WantedPathState>,
  received: Record<string, number> = {},
): TermsSource => ({
  networkIds: () => Object.keys(wanted),
  wanted: (id) => wanted[id] ?? 'active',
  price: (id) => (id === 'lte' ? { costly: true, budgetBytes: 1000 } : undefined),
  receivedBytes: (id) => received[id] ?? 0,
});

const allowed = (facts: TermsSource): string[] =>
  facts.networkIds().filter((id) => termsOf(id, facts).allowed);

describe('the terms of networks', () => {
  it('exclude a backup while an active network carries', () => {
    expect(allowed(source({ wifi: 'active', lte: 'backup' }))).toEqual(['wifi']);
    expect(allowed(source({ wifi: 'backup', lte: 'active' }))).toEqual(['lte']);
  });

  it('permit a free backup once the only active network has spent its budget', () => {
    const facts = source({ wifi: 'backup', lte: 'active' }, { lte: 1000 });
    expect(allowed(facts)).toContain('wifi');
  });

  it('never use a closed network', () => {
    expect(allowed(source({ wifi: 'closed', lte: 'active' }, { lte: 1000 }))).toEqual(['lte']);
    expect(allowed(source({ wifi: 'closed', lte: 'backup' }))).toEqual(['lte']);
  });

  it('name the whole budget where an earlier stream spent a part of it', () => {
    expect(spentReason({ budgetBytes: 1e6 })).toContain('1.0 MB');
    expect(spentReason({ budgetBytes: 1e6, wholeBudgetBytes: 5e6 })).toContain('5.0 MB');
  });

  it('spend a budget exactly', () => {
    expect([999, 1000, 1001].map((bytes) => isSpent({ budgetBytes: 1000 }, bytes))).toEqual([
      false,
      true,
      true,
    ]);
    expect(isSpent({}, 1e12)).toBe(false);
  });
});
