export * from './agent';
export { contentType } from './static-files';
export { createPeerCheck } from './peer';
export type { Answer } from './access';
export { Consents, toOrigin } from './consents';
