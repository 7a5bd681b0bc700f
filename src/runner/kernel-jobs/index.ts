export { ApartRuns } from './apart-runs';
export { answer, answerInside, checkInside } from './answer-inside';
