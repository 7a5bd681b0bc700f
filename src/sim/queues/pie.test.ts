import { describe, expect, it } from 'vitest';
import { Packet } from '../packet';
import { PacketFifo } from './packet-fifo';
import { Pie } from './pie';

const MS = 1e6;
const config = {
  targetNs: 15 * MS,
  updateNs: 15 * MS,
  maxBurstNs: 0,
  ecn: false,
  ecnThreshold: 0.1,
};

/** The probability after the one update that finds a packet of this age. */
function afterOneUpdate(ageMs: number): number {
  const queue = new PacketFifo();
  const packet = new Packet(1500, 1, 0, [], undefined);
  queue.push(packet);
  const pie = new Pie(config);
  pie.catchUp(queue, 1000 * MS);
  packet.arrivedNs = (1015 - ageMs) * MS;
  pie.catchUp(queue, 1015 * MS);
  return pie.dropProbability;
}

describe('Pie', () => {
  it('adds 2 % to the control law above 250 ms, as Linux does', () => {
    const law = (delayS: number): number => (0.125 * (delayS - 0.015) + 1.25 * delayS) / 2048;
    expect(afterOneUpdate(250)).toBeCloseTo(law(0.25), 12);
    expect(afterOneUpdate(251)).toBeCloseTo(law(0.251) + 0.02, 12);
  });
});
