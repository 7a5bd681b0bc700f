import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedDown } from '../../ipc';
import { createDownQueue } from './down-queue';

const batch = (monotonicMs: number, lostSamples = 0): FeedDown => ({
  type: 'samples',
  batch: { monotonicMs, connections: [], lostSamples },
});
const path = (monotonicMs: number): FeedDown => ({
  type: 'path',
  event: { monotonicMs, kind: 'route-changed' },
});

describe('createDownQueue', () => {
  it('sends a slow page the newest batch and counts the replaced ones', () => {
    const sent: FeedDown[] = [];
    let slow = true;
    const queue = createDownQueue(
      { send: (message) => sent.push(message), congested: () => slow },
      () => undefined,
    );
    for (const message of [batch(1), path(2), batch(3, 5), batch(4)]) queue.push(message);
    expect(sent).toEqual([]);
    slow = false;
    queue.drain();
    expect(sent).toEqual([path(2), batch(4, 7)]);
  });

  it('loses no event, keeps the order, and sends or counts every batch', () => {
    const step = fc.constantFrom('batch', 'path', 'slow', 'fast');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const sent: FeedDown[] = [];
        let slow = false;
        let batches = 0;
        let events = 0;
        const queue = createDownQueue(
          { send: (message) => sent.push(message), congested: () => slow },
          () => undefined,
        );
        steps.forEach((name, index) => {
          if (name === 'slow' || name === 'fast') slow = name === 'slow';
          if (name === 'batch') batches += 1;
          if (name === 'path') events += 1;
          if (name === 'batch') queue.push(batch(index));
          if (name === 'path') queue.push(path(index));
        });
        slow = false;
        queue.drain();
        const times = sent.map((m) =>
          m.type === 'samples' ? m.batch.monotonicMs : m.type === 'path' ? m.event.monotonicMs : 0,
        );
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(sent.filter((m) => m.type === 'path')).toHaveLength(events);
        const reported = sent.reduce(
          (n, m) => n + (m.type === 'samples' ? 1 + m.batch.lostSamples : 0),
          0,
        );
        expect(reported).toBe(batches);
      }),
    );
  });

  it('keeps only the newest state and the newest answer for a slow page', () => {
    const sent: FeedDown[] = [];
    let slow = true;
    const queue = createDownQueue(
      { send: (message) => sent.push(message), congested: () => slow },
      () => undefined,
    );
    const answer = (sequence: number): FeedDown => ({
      type: 'path-control',
      report: { capability: { available: false, reason: '' }, paths: [], refusals: [], sequence },
    });
    const state = (reason: string): FeedDown => ({
      type: 'status',
      status: { state: 'idle', reason },
    });
    for (let at = 0; at < 10_000; at += 1) {
      queue.push(answer(at));
      queue.push(state(String(at)));
    }
    expect(queue.length).toBe(2);
    slow = false;
    queue.drain();
    expect(sent).toEqual([answer(9999), state('9999')]);
  });

  it('keeps the refusals of the answers that a newer one replaces', () => {
    const sent: FeedDown[] = [];
    let slow = true;
    const queue = createDownQueue(
      { send: (message) => sent.push(message), congested: () => slow },
      () => undefined,
    );
    type Report = Extract<FeedDown, { type: 'path-control' }>['report'];
    const base: Report = {
      capability: { available: true, through: 'helper' },
      paths: [],
      refusals: [],
    };
    const refusal = (pathId: string, reason: string): Report['refusals'][number] => ({
      pathId,
      state: 'closed',
      code: 'FOREIGN',
      reason,
    });
    const closed = { pathId: 'eth0', state: 'closed', origin: 'own', changed: true } as const;
    const push = (report: Partial<Report>): void =>
      queue.push({ type: 'path-control', report: { ...base, ...report } });
    push({ sequence: 1, refusals: ['wlan0', 'wwan0', 'eth0'].map((id) => refusal(id, 'first')) });
    push({ sequence: 2, refusals: [refusal('wwan0', 'second')] });
    // A change of another program, not an answer. eth0 reached its state.
    push({ detail: 'eth0 is closed', paths: [closed] });
    slow = false;
    queue.drain();
    expect(sent).toEqual([
      {
        type: 'path-control',
        report: {
          ...base,
          sequence: 2,
          detail: 'eth0 is closed',
          paths: [closed],
          refusals: [refusal('wlan0', 'first'), refusal('wwan0', 'second')],
        },
      },
    ]);
  });

  it('gives up once on a page that reads nothing', () => {
    let overflows = 0;
    const queue = createDownQueue(
      { send: () => undefined, congested: () => true },
      () => (overflows += 1),
    );
    for (let index = 0; index < 10_000; index += 1) queue.push(path(index));
    expect(overflows).toBe(1);
  });
});
