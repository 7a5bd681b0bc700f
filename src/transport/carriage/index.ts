export {
  CARRIAGE_CHOICES,
  openCarriage,
  type CarriageChoice,
  type OpenCarriage,
} from './open-carriage';
export { safeCarriage } from './safe-choice';
