export { BudgetLedger } from './budget-ledger';
export {
  CARRIAGE_CHOICES,
  openCarriage,
  type CarriageChoice,
  type OpenCarriage,
} from './open-carriage';
