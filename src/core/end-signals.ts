/** Signals by which a person or a service manager ends a program. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
