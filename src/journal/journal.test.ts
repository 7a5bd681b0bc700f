import { describe, expect, it } from 'vitest';
import type { SampleBatch } from '../core';
import type { LogEvent } from '../session-log';
import { BrainJournal, BrainLogError, replayLog } from './journal';
import {
  createBrain,
  stepBrain,
  type BrainConfig,
  type BrainInput,
  type BrainObservation,
} from '../brain';

const config: BrainConfig = { policy: 'single-best', abr: 'multipath' };
const at = (address: string) => ({ address, port: 1 });

function batch(step: number): SampleBatch {
  const subflow = (pathId: string, rateBps: number) => ({
    subflowId: pathId,
    pathId,
    local: at(pathId),
    remote: at('10.0.0.9'),
    state: 'active' as const,
    bytesReceived: (rateBps / 80) * step,
  });
  const subflows = [subflow('wlan0', 5e6), subflow('wwan0', 6e5)];
  const inOrderBytes = subflows.reduce((sum, { bytesReceived }) => sum + bytesReceived, 0);
  return {
    monotonicMs: step * 100 + 0.125,
    lostSamples: step % 7 === 0 ? 2 : 0,
    connections: [
      {
        connectionId: 'm:1',
        kind: 'mptcp',
        local: at('10.0.0.1'),
        remote: at('10.0.0.9'),
        inOrderBytes,
        subflows,
      },
    ],
  };
}

function observation(step: number): BrainObservation {
  const loading = step % 10 < 8;
  return {
    monotonicMs: step * 100 + 1,
    trigger: step % 5 === 0 ? 'segment' : 'tick',
    ...(step % 5 === 0 ? { mediaType: 'video' as const } : {}),
    ladders: [
      {
        mediaType: 'video',
        rungs: [3e5, 1e6, 3e6].map((bitrateBps, index) => ({
          index,
          representationId: `v${index}`,
          bitrateBps,
        })),
      },
    ],
    currentRung: { video: 1 },
    bufferMs: { video: 4000 + step },
    bufferTargetMs: 12_000,
    playing: true,
    requests: loading
      ? [{ requestId: 1, mediaType: 'video', rung: 1, startMs: 0, bytesLoaded: step * 10 }]
      : [],
    nextSegments: { video: [[undefined, 250_000, undefined]] },
    segmentDurationMs: { video: 2000 },
    control: 'all',
  };
}

/** A session's log through JSON, as from a file. The samples are in the agent's positions. */
function record(steps: number): LogEvent[] {
  const journal = new BrainJournal();
  const events: LogEvent[] = [];
  let state = createBrain(config);
  journal.config(config);
  const feed = (input: Exclude<BrainInput, { type: 'decide' | 'configure' }>): void => {
    journal.input(input);
    ({ state } = stepBrain(state, input));
  };
  feed({ type: 'request-start', request: { requestId: 1, startMs: 0 } });
  for (let step = 1; step <= steps; step += 1) {
    const monotonicMs = step * 100;
    const seen = batch(step);
    events.push({ type: 'samples', monotonicMs, batch: { ...seen, lostSamples: 0 } });
    feed({ type: 'samples', batch: seen });
    if (step === 40) {
      const event = { monotonicMs, kind: 'interface-down', pathId: 'wwan0' } as const;
      feed({ type: 'path-event', event });
    }
    if (step === 60) {
      const pinned: BrainConfig = { ...config, policy: 'all' };
      journal.config(pinned);
      ({ state } = stepBrain(state, { type: 'configure', config: pinned }));
    }
    const result = stepBrain(state, { type: 'decide', observation: observation(step) });
    ({ state } = result);
    if (result.decision) journal.decided(observation(step), result.decision);
    events.push({ type: 'brain', monotonicMs, entries: journal.take() });
  }
  return JSON.parse(JSON.stringify(events)) as LogEvent[];
}

describe('the journal of a brain', () => {
  it('replays to the same decisions, bit by bit', () => {
    expect(replayLog(record(100))).toEqual({ decisions: 100 });
  });

  it('stores an observation once, then its changes', () => {
    const decides = record(9).flatMap((event) =>
      event.type === 'brain' ? event.entries.filter(({ k }) => k === 'decide') : [],
    );
    expect(JSON.stringify(decides[0])).toContain('ladders');
    for (const entry of decides.slice(1)) expect(JSON.stringify(entry)).not.toContain('ladders');
  });

  it('shows the first different decision', () => {
    const events = record(50);
    for (const event of events) {
      if (event.type !== 'samples' || event.monotonicMs !== 3000) continue;
      for (const { subflows } of event.batch.connections) {
        for (const subflow of subflows) subflow.bytesReceived += 50_000;
      }
    }
    const { decisions, difference } = replayLog(events);
    expect(decisions).toBeGreaterThanOrEqual(29);
    expect(decisions).toBeLessThan(50);
    expect(difference?.index).toBe(decisions);
    expect(difference?.field).toMatch(/^(forecast|digest)/);
  });

  it('names the missing part', () => {
    expect(() => replayLog([])).toThrow(BrainLogError);
    const holed = record(20).filter(
      (event) => event.type !== 'samples' || event.monotonicMs !== 500,
    );
    expect(() => replayLog(holed)).toThrow(/500/);
  });
});
