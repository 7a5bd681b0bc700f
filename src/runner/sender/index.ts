export { runSenderPathUse, type SenderChange } from './run';
