import { expect, it } from 'vitest';
import type { BrainDecision } from '../../brain';
import type { WantedPathState } from '../../core';
import { batch, connection, subflow } from '../../core/testing/samples';
import type { PathRequest } from '../../ports';
import { PathSteering } from './path-steering';

const none = { rateBps: 0, safeRateBps: 0, confidence: 0, basis: 'paths', paths: [] } as const;

function decision(state: WantedPathState): BrainDecision {
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

it('logs a decision only after a change of decision or policy', () => {
  let policy = 'model';
  const logged: string[] = [];
  const steering = new PathSteering({
    transport: {},
    clock: { nowMs: () => 0 },
    allowed: true,
    emit: (event) => {
      if (event.type === 'path-decision') logged.push(event.policy);
    },
  });
  steering.decided(decision('backup'), policy);
  steering.decided(decision('backup'), policy);
  expect(logged).toEqual(['model']);
  policy = 'single-best';
  steering.decided(decision('backup'), policy);
  steering.decided(decision('backup'), policy);
  expect(logged).toEqual(['model', 'single-best']);
  steering.decided(decision('active'), policy);
  expect(logged).toEqual(['model', 'single-best', 'single-best']);
});

/** A steering, and the requests that it sends. */
function recorded(nowMs = () => 0): { asked: PathRequest[]; steering: PathSteering } {
  const asked: PathRequest[] = [];
  const steering = new PathSteering({
    transport: { requestPaths: (request) => void asked.push(request) },
    clock: { nowMs },
    allowed: true,
    emit: () => undefined,
  });
  return { asked, steering };
}

it('requests a state again for a path that returned without it', () => {
  let nowMs = 0;
  const { asked, steering } = recorded(() => nowMs);
  const report = (state: 'active' | 'backup'): void =>
    steering.onReport({
      capability: { available: true, through: 'direct' },
      paths: [{ pathId: 'lte', state, origin: 'foreign', changed: true }],
      refusals: [],
    });
  // Lost as a backup, and wanted active at its return: the endpoint has the new state, the handshake had the
  // old one.
  report('backup');
  steering.decided(decision('active'), 'model');
  report('active');
  const back = batch(1, [
    connection([subflow('wifi', 1000), subflow('lte', 0, { state: 'backup' })]),
  ]);
  for (nowMs = 0; nowMs <= 1000; nowMs += 100) {
    steering.onSamples(back);
    steering.decided(decision('active'), 'model');
  }
  expect(asked.map(({ paths }) => paths)).toEqual([
    [{ pathId: 'lte', state: 'active' }],
    [{ pathId: 'lte', state: 'active' }],
  ]);
});

it('makes a path that may not be closed a backup, and steers it further', () => {
  const { asked, steering } = recorded();
  const report = (state: 'active' | 'backup', refused: WantedPathState[]): void =>
    steering.onReport({
      capability: { available: true, through: 'direct' },
      paths: [{ pathId: 'lte', state, origin: 'foreign', changed: state === 'backup' }],
      refusals: refused.map((one) => ({ pathId: 'lte', state: one, code: 'FOREIGN', reason: '' })),
    });
  const see = (state: 'active' | 'backup'): void =>
    steering.onSamples(
      batch(1, [connection([subflow('wifi', 1000), subflow('lte', 0, { state })])]),
    );
  see('active');
  report('active', []);
  steering.decided(decision('closed'), 'model');
  report('active', ['closed']);
  steering.decided(decision('closed'), 'model');
  expect(steering.control()).toBe('all');
  see('backup');
  report('backup', []);
  steering.decided(decision('closed'), 'model');
  steering.decided(decision('active'), 'model');
  expect(asked.map(({ paths }) => paths)).toEqual([
    [{ pathId: 'lte', state: 'closed' }],
    [{ pathId: 'lte', state: 'backup' }],
    [{ pathId: 'lte', state: 'active' }],
  ]);
});

it('gives a path up whose backup flag belongs to another program', () => {
  const { asked, steering } = recorded();
  const refused = { pathId: 'lte', code: 'FOREIGN', reason: '' } as const;
  steering.onSamples(batch(1, [connection([subflow('wifi', 1000), subflow('lte', 0)])]));
  for (const state of ['closed', 'backup'] as const) {
    steering.onReport({
      capability: { available: true, through: 'helper' },
      paths: [{ pathId: 'lte', state: 'active', origin: 'foreign', changed: false }],
      refusals: [{ ...refused, state }],
    });
  }
  steering.decided(decision('closed'), 'model');
  expect(asked).toEqual([]);
  expect(steering.control()).toEqual(['wifi']);
});
