export * from './agent';
export { createPeerCheck } from './peer';
export type { AccessOptions, Answer } from './access';
export { Consents, toOrigin, type Consent } from './consents';
