/** Plays a stream over the test network: a buffer, one request at a time, and whoever decides. */
import type { Ladder, PathEvent } from '../../core';
import { batch, connection, subflow } from '../../core/testing/samples';
import {
  createBrain,
  stepBrain,
  type BrainConfig,
  type BrainDecision,
  type BrainInput,
  type BrainObservation,
} from '..';
import { TestNetwork, type TestPath } from './network';
import type { Rule } from './rules';

export interface TestPlay {
  paths: readonly TestPath[];
  /** The brain, or a rule over all paths as they are. */
  player: { brain: BrainConfig } | { rule: Rule };
  bitratesBps: readonly number[];
  segmentMs?: number;
  bufferTargetMs?: number;
  durationMs?: number;
  seed?: number;
  control?: BrainObservation['control'];
  /** Keep inputs and decisions. */
  record?: boolean;
}

export interface TestResult {
  /** Linear QoE per segment (Yin et al.), in Mbit/s. */
  qoe: number;
  meanBps: number;
  stallMs: number;
  stalls: number;
  startupMs: number;
  switches: number;
  /** Bytes over the time with a request outstanding. */
  goodputBps: number;
  bytes: Readonly<Record<string, number>>;
  abandoned: number;
  inputs: BrainInput[];
  decisions: BrainDecision[];
  /** Rung of every segment. */
  rungs: number[];
}

const STEP_MS = 10;

export function play(options: TestPlay): TestResult {
  const { bitratesBps, segmentMs = 2000, bufferTargetMs = 18_000, durationMs = 90_000 } = options;
  const ladder: Ladder = {
    mediaType: 'video',
    rungs: bitratesBps.map((bitrateBps, index) => ({
      index,
      representationId: `v${String(index)}`,
      bitrateBps,
    })),
  };
  const network = new TestNetwork(options.paths, options.seed ?? 1);
  const config = 'brain' in options.player ? options.player.brain : undefined;
  const rule = 'rule' in options.player ? options.player.rule : undefined;
  let brain = config ? createBrain(config) : undefined;
  const inputs: BrainInput[] = [];
  const decisions: BrainDecision[] = [];
  let bufferMs = 0;
  let playing = false;
  let stalled = false;
  let stallMs = 0;
  let stalls = 0;
  let startupMs = 0;
  let abandoned = 0;
  let busyMs = 0;
  let rung = -1;
  let requestId = 0;
  let segmentBytesTotal = 0;
  const rungs: number[] = [];
  const throughputsBps: number[] = [];
  let request:
    | { id: number; rung: number; startMs: number; bytes: number; from: number; to: number }
    | undefined;

  const take = (input: BrainInput): BrainDecision | undefined => {
    if (!brain) return undefined;
    const next = stepBrain(brain, input);
    brain = next.state;
    if (options.record === true) inputs.push(input);
    const { decision } = next;
    if (!decision) return undefined;
    if (options.record === true) decisions.push(decision);
    if (options.control !== 'none') {
      for (const { pathId, desired } of decision.paths) {
        if (desired !== 'closed') network.setState(pathId, desired);
      }
    }
    return decision;
  };
  /** Sizes vary around the bit rate, as real ones do. */
  const sizeOf = (index: number, ofRung: number): number => {
    const wave = 1 + 0.2 * Math.sin(index * 1.7) + 0.1 * Math.sin(index * 0.6 + 1);
    return Math.round((((bitratesBps[ofRung] ?? 0) * segmentMs) / 8000) * wave);
  };
  const loaded = (): number =>
    request ? Math.max(0, Math.min(request.bytes, (network.inOrder - request.from) * 1448)) : 0;
  const observe = (trigger: BrainObservation['trigger']): BrainObservation => ({
    monotonicMs: network.nowMs,
    trigger,
    mediaType: trigger === 'segment' ? 'video' : undefined,
    ladders: [ladder],
    currentRung: { video: rung },
    bufferMs: { video: bufferMs },
    bufferTargetMs,
    playing,
    requests: request
      ? [
          {
            requestId: request.id,
            mediaType: 'video',
            rung: request.rung,
            startMs: request.startMs,
            bytesLoaded: loaded(),
            bytesTotal: request.bytes,
            durationMs: segmentMs,
          },
        ]
      : [],
    nextSegments: {
      video: [0, 1, 2, 3, 4].map((ahead) =>
        bitratesBps.map((_, ofRung) => sizeOf(rungs.length + ahead, ofRung)),
      ),
    },
    segmentDurationMs: { video: segmentMs },
    control: options.control ?? 'all',
  });
  const start = (ofRung: number): void => {
    requestId += 1;
    const bytes = sizeOf(rungs.length, ofRung);
    const id = requestId;
    rung = ofRung;
    const upMs = Math.min(...options.paths.map(({ delayMs }) => delayMs));
    request = { id, rung: ofRung, startMs: network.nowMs, bytes, from: Infinity, to: Infinity };
    const mine = request;
    network.at(network.nowMs + upMs, () => {
      if (request !== mine) return;
      mine.to = network.write(bytes);
      mine.from = mine.to - Math.ceil(bytes / 1448);
    });
    take({ type: 'request-start', request: { requestId: id, startMs: network.nowMs } });
  };
  const finish = (outcome: 'ok' | 'abandoned'): void => {
    if (!request) return;
    const bytes = outcome === 'ok' ? request.bytes : loaded();
    const { id, startMs } = request;
    const endMs = network.nowMs;
    request = undefined;
    segmentBytesTotal += bytes;
    busyMs += endMs - startMs;
    take({
      type: 'request-end',
      request: { requestId: id, startMs, endMs, bytes, outcome, mediaType: 'video' },
    });
    if (outcome === 'ok') {
      throughputsBps.push((bytes * 8000) / Math.max(1, endMs - startMs));
      rungs.push(rung);
      bufferMs += segmentMs;
    }
  };

  const closed = new Set<string>();
  const tellEvents = (): void => {
    for (const { path, state } of network.subflows) {
      if ((state === 'closed') === closed.has(path.id)) continue;
      const isDown = state === 'closed';
      if (isDown) closed.add(path.id);
      else closed.delete(path.id);
      const event = (kind: PathEvent['kind']): PathEvent => ({
        monotonicMs: network.nowMs,
        kind,
        pathId: path.id,
      });
      take({ type: 'path-event', event: event(isDown ? 'interface-down' : 'interface-up') });
      if (!isDown) take({ type: 'path-event', event: event('subflow-established') });
      act(take({ type: 'decide', observation: observe('path-event') }));
    }
  };
  const act = (decision: BrainDecision | undefined): void => {
    if (!decision?.abandon || decision.abandon.requestId !== request?.id) return;
    const to = decision.abandon.toRung;
    abandoned += 1;
    network.cancel();
    finish('abandoned');
    start(to);
  };

  for (let nowMs = STEP_MS; nowMs <= durationMs; nowMs += STEP_MS) {
    network.advance(nowMs);
    tellEvents();
    if (nowMs % 100 === 0) {
      const seen = network.subflows.filter(({ state }) => state !== 'closed');
      take({
        type: 'samples',
        batch: batch(
          nowMs,
          seen.length === 0
            ? []
            : [
                connection(
                  seen.map(({ path, received, state, rcvRttMs }) =>
                    subflow(path.id, received, { state, rcvRttUs: Math.round(rcvRttMs * 1000) }),
                  ),
                  { inOrderBytes: network.inOrder * 1448 },
                ),
              ],
        ),
      });
      act(take({ type: 'decide', observation: observe('tick') }));
    }
    if (request && network.inOrder >= request.to) finish('ok');
    if (!playing && bufferMs >= segmentMs) {
      playing = true;
      startupMs ||= nowMs;
      stalled = false;
    }
    if (playing) {
      bufferMs -= STEP_MS;
      if (bufferMs <= 0) {
        bufferMs = 0;
        playing = false;
        stalled = true;
        stalls += 1;
      }
    } else if (stalled) stallMs += STEP_MS;
    if (!request && bufferMs + segmentMs <= bufferTargetMs) {
      const decided = brain
        ? take({ type: 'decide', observation: observe('segment') })?.rungs.video
        : undefined;
      const fallback = rule
        ? rule({
            bitratesBps,
            currentRung: rung,
            bufferMs,
            bufferTargetMs,
            segmentMs,
            throughputsBps,
          })
        : Math.max(0, rung);
      start(decided ?? fallback);
    }
  }
  const rates = rungs.map((one) => bitratesBps[one] ?? 0);
  const steps = rates.slice(1).map((bps, i) => Math.abs(bps - (rates[i] ?? bps)));
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const top = bitratesBps.at(-1) ?? 0;
  return {
    qoe: (sum(rates) - (top * stallMs) / 1000 - sum(steps)) / 1e6 / Math.max(1, rungs.length),
    meanBps: sum(rates) / Math.max(1, rates.length),
    stallMs,
    stalls,
    startupMs,
    switches: steps.filter((step) => step > 0).length,
    goodputBps: (segmentBytesTotal * 8000) / Math.max(1, busyMs),
    bytes: Object.fromEntries(network.subflows.map(({ path, received }) => [path.id, received])),
    abandoned,
    inputs,
    decisions,
    rungs,
  };
}
