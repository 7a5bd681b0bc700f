// Written by scripts/registries.mjs. Do not edit.
import type { SessionMetric } from './define-metric';

/** All of them, by file name. */
export const oneFileMetrics: readonly SessionMetric[] = [];
