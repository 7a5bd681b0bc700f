import { expect, it } from 'vitest';
import { BudgetLedger } from './budget-ledger';

const wish = { network: 'lte', metered: true, budgetBytes: 1000 };

it('leaves the next stream what the ended ones did not spend', () => {
  const ledger = new BudgetLedger();
  const left = (): number | undefined => ledger.priceOf(wish).budgetBytes;
  expect(left()).toBe(1000);
  ledger.add('lte', 300);
  ledger.add('wlan', 5000);
  expect(left()).toBe(700);
  ledger.add('lte', 800);
  expect(ledger.priceOf(wish)).toEqual({ costly: true, budgetBytes: 0, wholeBudgetBytes: 1000 });
});

it('counts what was received before a budget was set or raised', () => {
  const ledger = new BudgetLedger();
  ledger.add('lte', 300);
  expect(ledger.priceOf({ ...wish, budgetBytes: 400 }).budgetBytes).toBe(100);
  expect(ledger.priceOf({ network: 'lte' })).toEqual({ costly: false, budgetBytes: undefined });
});
