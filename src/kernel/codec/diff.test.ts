import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectionSample, SampleBatch, SubflowSample, SubflowState } from '../../core';
import { diffBatches } from './diff';

function subflow(subflowId: string, state: SubflowState): SubflowSample {
  return {
    subflowId,
    pathId: `path${subflowId}`,
    local: { address: '10.0.1.2', port: 1 },
    remote: { address: '10.9.0.1', port: 2 },
    state,
    bytesReceived: 0,
  };
}

function batch(
  monotonicMs: number,
  subflows: Record<string, SubflowState> | undefined,
  kind: ConnectionSample['kind'] = 'mptcp',
): SampleBatch {
  const connection: ConnectionSample | undefined = subflows && {
    connectionId: 'm:1',
    kind,
    local: { address: '10.0.1.2', port: 1 },
    remote: { address: '10.9.0.1', port: 2 },
    inOrderBytes: 0,
    subflows: Object.entries(subflows).map(([id, state]) => subflow(id, state)),
  };
  return { monotonicMs, connections: connection ? [connection] : [], lostSamples: 0 };
}

const short = (before: SampleBatch | undefined, now: SampleBatch): string[] =>
  diffBatches(before, now).map((event) => `${event.kind} ${event.subflowId ?? ''}`);

describe('diffBatches', () => {
  it('reports joins, ends and priority changes', () => {
    const first = batch(1, { a: 'active', b: 'connecting' });
    expect(short(undefined, first)).toEqual(['subflow-established a']);
    const second = batch(2, { a: 'active', b: 'active' });
    expect(short(first, second)).toEqual(['subflow-established b']);
    const third = batch(3, { a: 'closed', b: 'backup' });
    expect(short(second, third)).toEqual(['subflow-closed a', 'subflow-priority b']);
    expect(diffBatches(second, third)[1]).toMatchObject({
      monotonicMs: 3,
      backup: true,
      pathId: 'pathb',
      connectionId: 'm:1',
    });
    expect(short(third, batch(4, { b: 'active' }))).toEqual(['subflow-priority b']);
    expect(short(third, batch(4, undefined))).toEqual(['subflow-closed b']);
  });

  it('reports the end of a subflow once', () => {
    expect(short(batch(1, { a: 'closed' }), batch(2, {}))).toEqual([]);
    expect(short(batch(1, { a: 'closed' }), batch(2, undefined))).toEqual([]);
  });

  it('tells a subflow that closes alone from the end of its connection', () => {
    const both = batch(1, { a: 'active', b: 'active' });
    const ended = (now: SampleBatch): unknown[] =>
      diffBatches(both, now).map(({ connectionEnded }) => connectionEnded);
    expect(ended(batch(2, { a: 'active', b: 'closed' }))).toEqual([undefined]);
    expect(ended(batch(2, { a: 'active' }))).toEqual([undefined]);
    expect(ended(batch(2, { a: 'closed', b: 'closed' }))).toEqual([true, true]);
    expect(ended(batch(2, {}))).toEqual([true, true]);
    expect(ended(batch(2, undefined))).toEqual([true, true]);
  });

  it('is empty for plain TCP and without changes', () => {
    expect(short(undefined, batch(1, { a: 'active' }, 'tcp'))).toEqual([]);
    expect(short(batch(1, { a: 'active' }, 'tcp'), batch(2, undefined))).toEqual([]);
    expect(short(batch(1, { a: 'backup' }), batch(2, { a: 'backup' }))).toEqual([]);
  });

  it('reproduces the set of usable subflows from the events in order', () => {
    const states = fc.constantFrom<SubflowState>('active', 'backup', 'connecting', 'closed');
    const one = fc.dictionary(fc.constantFrom('a', 'b', 'c'), states, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(fc.option(one, { nil: undefined }), { maxLength: 20 }), (steps) => {
        const usable = new Map<string, boolean>();
        let before: SampleBatch | undefined;
        steps.forEach((step, index) => {
          const now = batch(index, step);
          for (const event of diffBatches(before, now)) {
            const id = event.subflowId ?? '';
            if (event.kind === 'subflow-established') {
              expect(usable.has(id)).toBe(false);
              usable.set(id, true);
            } else {
              expect(usable.has(id)).toBe(true);
              if (event.kind === 'subflow-closed') usable.delete(id);
            }
          }
          const real = Object.entries(step ?? {}).filter(
            ([, s]) => s === 'active' || s === 'backup',
          );
          expect([...usable.keys()].sort()).toEqual(real.map(([id]) => id).sort());
          before = now;
        });
      }),
    );
  });
});
