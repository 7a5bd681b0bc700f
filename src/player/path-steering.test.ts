import { expect, it } from 'vitest';
import type { BrainDecision } from '../brain';
import { batch, connection, subflow } from '../core/testing/samples';
import type { PathRequest } from '../ports';
import { PathSteering } from './path-steering';

const none = { rateBps: 0, safeRateBps: 0, confidence: 0, basis: 'paths', paths: [] } as const;

function decision(state: 'active' | 'backup'): BrainDecision {
  return {
    monotonicMs: 1000,
    trigger: 'tick',
    paths: [
      { pathId: 'wifi', desired: 'active' },
      { pathId: 'lte', desired: state },
    ],
    rungs: {},
    forecast: { ...none, paths: [] },
    trusted: true,
    reason: '',
    pathReason: 'because',
  };
}

it('logs a decision when it is another one, or another policy made it', () => {
  let policy = 'model';
  const logged: string[] = [];
  const steering = new PathSteering({
    transport: {},
    clock: { nowMs: () => 0 },
    allowed: true,
    policy: () => policy,
    emit: (event) => {
      if (event.type === 'path-decision') logged.push(event.policy);
    },
  });
  steering.decided(decision('backup'));
  steering.decided(decision('backup'));
  expect(logged).toEqual(['model']);
  policy = 'single-best';
  steering.decided(decision('backup'));
  steering.decided(decision('backup'));
  expect(logged).toEqual(['model', 'single-best']);
  steering.decided(decision('active'));
  expect(logged).toEqual(['model', 'single-best', 'single-best']);
});

it('asks again for a state that a path does not have when it is back', () => {
  let nowMs = 0;
  const asked: PathRequest[] = [];
  const steering = new PathSteering({
    transport: { requestPaths: (request) => void asked.push(request) },
    clock: { nowMs: () => nowMs },
    allowed: true,
    policy: () => 'model',
    emit: () => undefined,
  });
  const report = (state: 'active' | 'backup'): void =>
    steering.onReport({
      capability: { available: true, through: 'direct' },
      paths: [{ pathId: 'lte', state, origin: 'foreign', changed: true }],
      refusals: [],
    });
  // Lost as a backup, and wanted active as soon as it comes back: its endpoint says so, its handshake did not.
  report('backup');
  steering.decided(decision('active'));
  report('active');
  const back = batch(1, [
    connection([subflow('wifi', 1000), subflow('lte', 0, { state: 'backup' })]),
  ]);
  for (nowMs = 0; nowMs <= 1000; nowMs += 100) {
    steering.onSamples(back);
    steering.decided(decision('active'));
  }
  expect(asked.map(({ paths }) => paths)).toEqual([
    [{ pathId: 'lte', state: 'active' }],
    [{ pathId: 'lte', state: 'active' }],
  ]);
});
