export {
  CARRIAGE_CHOICES,
  openCarriage,
  type CarriageChoice,
  type OpenCarriage,
} from './open-carriage';
