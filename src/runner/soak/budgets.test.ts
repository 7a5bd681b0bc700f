import { describe, expect, it } from 'vitest';
import { judgeSoak, verdictOf } from './budgets';
import type { SoakSample } from './sample';

const MINUTE_MS = 60_000;

/** An hour of samples every 15 s. */
const samples = (sampleAt: (hours: number) => Partial<SoakSample>): SoakSample[] =>
  Array.from({ length: 240 }, (_, index) => ({
    atMs: index * 15_000,
    processes: {},
    logBytes: 0,
    ...sampleAt(index / 240),
  }));

const agent = (memoryBytes: number, descriptors = 40) => ({
  processes: { agent: { pid: 1, memoryBytes, descriptors, threads: 12 } },
});

function verdicts(of: readonly SoakSample[], lastReloadMs = 0): Record<string, string | undefined> {
  const figures = judgeSoak({ samples: of, collected: of }, 10 * MINUTE_MS, lastReloadMs);
  return Object.fromEntries(figures.map((one) => [`${one.role} ${one.figure}`, one.verdict]));
}

describe('judgeSoak', () => {
  it('accepts memory that grew in the warm-up only', () => {
    const of = samples((hours) => agent(80e6 + (hours < 0.1 ? hours * 200e6 : 20e6)));
    expect(verdicts(of)).toMatchObject({ 'agent memory': 'ok', 'agent descriptors': 'ok' });
  });

  it('finds memory that grows by 5 MB an hour and descriptors that are not closed', () => {
    const of = samples((hours) => agent(80e6 + 5e6 * hours, 40 + Math.floor(hours * 12)));
    expect(verdicts(of)).toMatchObject({
      'agent memory': 'over',
      'agent descriptors': 'over',
      'agent threads': 'ok',
    });
  });

  it('judges a page from its last load', () => {
    const of = samples((hours) => ({
      page: {
        heapBytes: 9e6,
        heapSizeBytes: 12e6,
        domBytes: 6e6,
        externalBytes: 2e6,
        nodes: 500,
        listeners: 90,
        timers: 100 * Math.min(hours, 0.5),
      },
    }));
    expect(verdicts(of)['renderer timers']).toBe('over');
    expect(verdicts(of, 25 * MINUTE_MS)['renderer timers']).toBe('ok');
  });

  it('judges the memory after a garbage collection, not the saw-tooth before it', () => {
    const heapOf = (heapBytes: number) => ({
      agent: {
        heapBytes,
        heapSizeBytes: heapBytes + 10e6,
        youngBytes: 2e6,
        externalBytes: 0,
        compiledBytes: 3e6,
        timers: 2,
      },
    });
    const collected = samples((hours) => heapOf(20e6 + hours * 3e6));
    const figures = judgeSoak({ samples: samples(() => heapOf(60e6)), collected }, 0, 0);
    expect(figures).toContainEqual(
      expect.objectContaining({ role: 'agent', figure: 'live heap', verdict: 'over' }),
    );
  });

  it('shows which part of the memory grew, without judging the part', () => {
    const of = samples((hours) => ({
      ...agent(80e6 + 30e6 * hours),
      agent: {
        heapBytes: 20e6,
        heapSizeBytes: 24e6 + 30e6 * hours,
        youngBytes: 2e6 + 30e6 * hours,
        externalBytes: 3e6,
        compiledBytes: 3e6,
        timers: 2,
      },
    }));
    const figures = judgeSoak({ samples: of, collected: of }, 10 * MINUTE_MS, 0);
    const slope = (figure: string): number | undefined => {
      const found = figures.find((one) => one.figure === figure);
      expect(found?.verdict).toBeUndefined();
      return found?.trend?.perHour;
    };
    expect(slope('heap size')).toBeCloseTo(30);
    expect(slope('young heap')).toBeCloseTo(30);
    expect(slope('buffers')).toBeCloseTo(0);
  });

  it('reports a run that is too short', () => {
    expect(verdicts(samples(() => agent(80e6)).slice(0, 60))['agent memory']).toBe('short');
  });

  it('lists a figure that was read in the warm-up only', () => {
    const figures = judgeSoak(
      { samples: samples(() => agent(80e6)), collected: [] },
      61 * MINUTE_MS,
      0,
    );
    expect(figures).toContainEqual(
      expect.objectContaining({ figure: 'memory', first: 80, last: 80, verdict: 'short' }),
    );
  });
});

describe('verdictOf', () => {
  it('is undecided about a slope whose interval spans the budget', () => {
    expect(verdictOf({ perHour: 1.4, low: -3, high: 6 }, 30, 1)).toBe('undecided');
    expect(verdictOf({ perHour: 1.4, low: 1.2, high: 1.6 }, 30, 1)).toBe('over');
  });
});
