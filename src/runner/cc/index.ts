export { measureInside } from './measure-inside';
export { startKernelRuns } from './kernel-runs';
