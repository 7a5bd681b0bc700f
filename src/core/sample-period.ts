/** Time between two samples of the paths, ms. The estimates, the health of paths and the policies count in it. */
export const SAMPLE_PERIOD_MS = 100;
