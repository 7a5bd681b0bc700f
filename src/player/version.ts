/** Set by the bundler. */
declare const __VERSION__: string | undefined;

export const playerVersion: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'unbundled';
