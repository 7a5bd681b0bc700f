import type { QueueSpec } from '../../scenario';
import type { SplitMix64 } from '../engine/split-mix';
import { CodelQueue } from './codel-queue';
import { DroptailQueue } from './droptail-queue';
import { FqCodelQueue } from './fq-codel-queue';
import { FqPieQueue } from './fq-pie-queue';
import type { PacketQueue, QueueLimit } from './packet-queue';
import { PieQueue } from './pie-queue';

const MTU_BYTES = 1500;
const MS = 1e6;

/** What a discipline may hold when nothing is said: as the link emulator. */
function limitOf(spec: QueueSpec, queueBytes: number | undefined): QueueLimit {
  const open = { bytes: Infinity, packets: Infinity };
  if (queueBytes === undefined && spec.limitPackets === undefined) {
    if (spec.discipline === 'droptail') return { ...open, bytes: 60_000 };
    if (spec.discipline === 'pie' || spec.discipline === 'codel') return { ...open, packets: 1000 };
    return { bytes: 32e6, packets: 10_240 };
  }
  return { bytes: queueBytes ?? Infinity, packets: spec.limitPackets ?? Infinity };
}

/**
 * The queue of a specification; what it leaves out has the discipline's default.
 * @param random decides PIE's drops
 */
export function createQueue(
  spec: QueueSpec,
  queueBytes: number | undefined,
  random: SplitMix64,
): PacketQueue {
  const limit = limitOf(spec, queueBytes);
  const { ecn = false, ecnThreshold = 0.1 } = spec;
  const pie = {
    targetNs: Math.round((spec.targetMs ?? 15) * MS),
    updateNs: Math.round((spec.updateMs ?? 15) * MS),
    maxBurstNs: Math.round((spec.burstMs ?? 150) * MS),
    ecn,
    ecnThreshold,
  };
  const codel = {
    targetNs: Math.round((spec.targetMs ?? 5) * MS),
    intervalNs: Math.round((spec.intervalMs ?? 100) * MS),
    ecn,
    maxPacketBytes: MTU_BYTES,
  };
  const flows = { flows: spec.flows ?? 1024, quantumBytes: spec.quantumBytes ?? 1514 };
  switch (spec.discipline) {
    case 'pie':
      return new PieQueue(limit, pie, random);
    case 'fq_pie':
      return new FqPieQueue(limit, pie, flows, random);
    case 'codel':
      return new CodelQueue(limit, codel);
    case 'fq_codel':
      return new FqCodelQueue(limit, codel, flows);
    case 'droptail':
      return new DroptailQueue(limit);
  }
}
