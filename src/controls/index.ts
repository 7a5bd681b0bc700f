export { droppedAddress } from './dropped-address';
export { mountControls, type Controls } from './mount-controls';
export { titleOf } from './stream-title';
export { createViewingHistory, startingAt, type ViewingHistory } from './viewing-history';
