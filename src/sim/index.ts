export { Simulation, SimulationError } from './engine/simulation';
export { SplitMix64 } from './engine/split-mix';
export { Timer } from './engine/timer';
export { Ecn, Packet, type Receiver } from './packet';
export { LinkDirection, type LinkDirectionStats, type WaitListener } from './link/link-direction';
export { createQueue } from './queues/create-queue';
export type { PacketQueue, QueueLimit } from './queues/packet-queue';
