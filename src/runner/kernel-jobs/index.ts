export { ApartRuns } from './apart-runs';
export { answer, answerInside, checkInside } from './answer-inside';
export { holdControls } from './hold-controls';
