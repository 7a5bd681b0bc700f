import { queueLimit, withQueueDefaults, type QueueSpec } from '../../scenario';
import type { SplitMix64 } from '../engine/split-mix';
import { CodelQueue } from './codel-queue';
import { DroptailQueue } from './droptail-queue';
import { FqCodelQueue } from './fq-codel-queue';
import { FqPieQueue } from './fq-pie-queue';
import type { PacketQueue } from './packet-queue';
import { PieQueue } from './pie-queue';

const MTU_BYTES = 1500;
const MS = 1e6;

/**
 * Creates the queue of a specification; absent fields have the discipline's defaults.
 * @param random decides PIE's drops
 */
export function createQueue(
  spec: QueueSpec,
  queueBytes: number | undefined,
  random: SplitMix64,
): PacketQueue {
  const limit = queueLimit(spec, queueBytes);
  const full = withQueueDefaults(spec);
  const { ecn, ecnThreshold, flows: flowCount, quantumBytes } = full;
  const targetNs = Math.round(full.targetMs * MS);
  const pie = {
    targetNs,
    updateNs: Math.round(full.updateMs * MS),
    maxBurstNs: Math.round(full.burstMs * MS),
    ecn,
    ecnThreshold,
  };
  const codel = {
    targetNs,
    intervalNs: Math.round(full.intervalMs * MS),
    ecn,
    maxPacketBytes: MTU_BYTES,
  };
  const flows = { flows: flowCount, quantumBytes };
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
