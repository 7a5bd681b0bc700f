import { expect, it } from 'vitest';
import type { BrainDecision } from '../brain';
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
