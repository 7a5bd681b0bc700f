export { runSweep, type SweepOptions } from './sweep';
