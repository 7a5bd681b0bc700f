export * from './agent';
export { contentType } from './static-files';
export { createPeerCheck } from './peer';
export type { ConsentAnswer } from './access';
export { Consents, toOrigin } from './consents';
