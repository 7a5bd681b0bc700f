export * from './agent';
export { contentType } from './static-files';
export { createPeerCheck } from './peer';
export type { AccessOptions, Answer } from './access';
export { Consents, toOrigin, type Consent } from './consents';
