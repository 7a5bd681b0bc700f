import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { QUEUE_DISCIPLINES, type QueueDiscipline, type QueueSpec } from '../../scenario';
import { SplitMix64 } from '../engine/split-mix';
import { Packet } from '../packet';
import { createQueue } from './create-queue';

/** See native/link/testdata/queue-vectors/README.md. */
interface Vectors extends QueueSpec {
  limitBytes: number;
  seed: number;
  /** Packets that the discipline counted as marked. */
  marks: number;
  queueOfFlow: Record<string, number>;
  /**
   * Instant, operation (enqueue or dequeue), packet, bytes, flow, ECN field, drops by it, packets and bytes
   * after it, probability.
   */
  events: [number, 'e' | 'd', number, number, number, number, number, number, number, number][];
}

function load(discipline: QueueDiscipline): Vectors {
  const file = `native/link/testdata/queue-vectors/${discipline}.json`;
  return JSON.parse(readFileSync(file, 'utf8')) as Vectors;
}

describe.each(QUEUE_DISCIPLINES)('%s', (discipline) => {
  it('repeats the link emulator event by event', () => {
    const vectors = load(discipline);
    const { limitBytes, events, queueOfFlow, seed, marks, ...spec } = vectors;
    const queue = createQueue(spec, limitBytes, new SplitMix64(seed));
    let dropsBefore = 0;
    events.forEach(
      ([nowNs, kind, id, bytes, flow, ecn, drops, packets, total, probability], at) => {
        const where = `event ${at}`;
        if (kind === 'e') {
          queue.enqueue(new Packet(bytes, queueOfFlow[flow] ?? 0, ecn, [], id), nowNs);
        } else {
          const packet = queue.dequeue(nowNs);
          expect(packet?.payload ?? -1, where).toBe(id);
          if (packet !== undefined)
            expect([packet.sizeBytes, packet.ecn], where).toEqual([bytes, ecn]);
        }
        expect(queue.drops - dropsBefore, where).toBe(drops);
        dropsBefore = queue.drops;
        expect([queue.sizePackets, queue.sizeBytes], where).toEqual([packets, total]);
        expect(Number(queue.dropProbability.toPrecision(6)), where).toBe(probability);
      },
    );
    expect(queue.marks).toBe(marks);
    expect(events.length).toBeGreaterThan(500);
  });
});
