import { describeBuffer, describeForecast, judgeRequests } from '../../abr';
import { sure } from '../../abr/testing/builders';
import { createRandom, formatBitRate } from '../../core';
import { batch, connection, subflow } from '../../core/testing/samples';
import {
  createPathEstimator,
  forecast,
  observePathEvent,
  observeRequestEnd,
  observeRequestStart,
  observeSamples,
} from '../../estimate';
import type { LogEvent } from '../../session-log';
import {
  at,
  bitrateBps,
  bitratesKbps,
  ladder,
  SEGMENT_MS,
  STEP_MS,
  type SyntheticOptions,
  type SyntheticPath,
} from './synthetic-network';
import { SyntheticScreen } from './synthetic-screen';

interface Active {
  requestId: number;
  rung: number;
  index: number;
  startMs: number;
  firstByteMs: number | undefined;
  bytes: number;
  left: number[];
}

/** Media that the player keeps ahead. */
const BUFFER_TARGET_MS = 16_000;

const sumOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const isUp = ({ downMs }: SyntheticPath, ms: number): boolean =>
  !(downMs && ms >= downMs[0] && ms < downMs[1]);

/**
 * A whole session in a fluid network, in 100 ms steps, with the real estimator and rules. It is deterministic
 * for a seed, and serves tests and previews of the report.
 */
export function syntheticLog(options: SyntheticOptions): LogEvent[] {
  const session = new SyntheticSession(options);
  const endMs = (options.seconds ?? 60) * 1000;
  for (let ms = STEP_MS; ms <= endMs; ms += STEP_MS) session.step(ms);
  session.events.push({ type: 'end', monotonicMs: at(endMs + 10), reason: 'time-up' });
  return session.events;
}

class SyntheticSession {
  readonly events: LogEvent[] = [];
  readonly #paths: readonly SyntheticPath[];
  readonly #random: () => number;
  readonly #received: number[];
  readonly #screen = new SyntheticScreen(this.events);
  #inOrderBytes = 0;
  #estimator = createPathEstimator();
  #active: Active | undefined;
  #nextIndex = 0;
  #nextRequest = 1;
  #rung = -1;

  constructor({ paths, seed = 1, name = 'synthetic' }: SyntheticOptions) {
    this.#paths = paths;
    this.#random = createRandom(seed);
    this.#received = paths.map(() => 0);
    this.events.push(
      {
        type: 'config',
        monotonicMs: at(0),
        schemaVersion: 1,
        startedAt: '2026-01-01T12:00:00.000Z',
        player: 'synthetic',
        playerVersion: '1',
        settings: { name, paths, nasty: '</script><b>' },
      },
      {
        type: 'manifest',
        monotonicMs: at(60),
        url: 'http://10.0.0.1/stream.mpd',
        kind: 'static',
        durationMs: 600_000,
        ladders: [ladder],
      },
      {
        type: 'status',
        monotonicMs: at(80),
        status: { state: 'multipath', reason: `${paths.length} paths carry the stream` },
      },
    );
  }

  step(ms: number): void {
    this.#changePaths(ms);
    if (!this.#active && this.#screen.bufferMs < BUFFER_TARGET_MS) this.#active = this.#request(ms);
    if (this.#active) this.#transfer(this.#active, ms);
    this.#sample(ms);
    if (this.#active) this.#judge(this.#active, ms);
    this.#screen.step(ms);
  }

  #changePaths(ms: number): void {
    for (const { id, downMs = [] } of this.#paths) {
      for (const [i, edge] of downMs.entries()) {
        if (edge <= ms - STEP_MS || edge > ms) continue;
        const event = {
          monotonicMs: at(edge),
          kind: i === 0 ? ('interface-down' as const) : ('interface-up' as const),
          pathId: id,
          interfaceName: id,
        };
        this.#estimator = observePathEvent(this.#estimator, event);
        this.events.push({ type: 'path', monotonicMs: at(edge), event });
      }
    }
  }

  #request(ms: number): Active {
    const startMs = ms - STEP_MS;
    const { bufferMs } = this.#screen;
    const expected = forecast(this.#estimator, at(startMs));
    const roomKbps = (expected.safeRateBps / 1000) * (bufferMs < 6000 ? 0.5 : 0.85);
    const rung = Math.max(0, bitratesKbps.filter((kbps) => kbps <= roomKbps).length - 1);
    this.events.push({
      type: 'decision',
      monotonicMs: at(startMs),
      kind: 'select',
      rule: 'multipath',
      mediaType: 'video',
      fromRung: this.#rung,
      toRung: rung,
      bufferMs,
      forecast: expected,
      reason: `${formatBitRate(bitrateBps(rung))}: ${describeForecast(expected)}, ${describeBuffer(bufferMs)}`,
    });
    this.#rung = rung;
    const bytes = ((bitratesKbps[rung] ?? 300) * SEGMENT_MS * (0.85 + 0.3 * this.#random())) / 8;
    const live = this.#paths.map((path) => (isUp(path, ms) ? path.rateBps * (path.drag ?? 1) : 0));
    const sum = sumOf(live);
    const requestId = this.#nextRequest;
    const index = this.#nextIndex;
    this.#nextRequest += 1;
    this.#nextIndex += 1;
    this.#estimator = observeRequestStart(this.#estimator, { requestId, startMs: at(startMs) });
    // Without a path, the bytes wait on the first one.
    const left = live.map((rate, i) => (sum > 0 ? (bytes * rate) / sum : i === 0 ? bytes : 0));
    return { requestId, rung, index, startMs, firstByteMs: undefined, bytes, left };
  }

  #transfer(request: Active, ms: number): void {
    const total = sumOf(request.left);
    for (const [i, path] of this.#paths.entries()) {
      const delayed = ms - request.startMs <= path.rttMs;
      const noise = 0.9 + 0.2 * this.#random();
      const left = request.left[i] ?? 0;
      const step = isUp(path, ms) && !delayed ? Math.min(left, (path.rateBps * noise) / 80) : 0;
      request.left[i] = left - step;
      this.#received[i] = (this.#received[i] ?? 0) + step;
      // The other paths carry the lost bytes of a stale path.
      if (!isUp(path, ms) && (request.left[i] ?? 0) > 0) {
        const other = this.#paths.findIndex((one) => isUp(one, ms));
        if (other >= 0) request.left[other] = (request.left[other] ?? 0) + (request.left[i] ?? 0);
        request.left[i] = 0;
      }
    }
    const rest = sumOf(request.left);
    if (rest < total) request.firstByteMs ??= ms - 50;
    const worst = Math.max(...request.left);
    const outOfOrderShare = rest > 0 ? Math.min(0.4, (worst / request.bytes) * 0.5) : 0;
    this.#inOrderBytes = Math.max(
      this.#inOrderBytes,
      sumOf(this.#received) - outOfOrderShare * (request.bytes - rest),
    );
  }

  #sample(ms: number): void {
    const subflows = this.#paths.flatMap((path, i) =>
      isUp(path, ms)
        ? [subflow(path.id, this.#received[i] ?? 0, { rcvRttUs: path.rttMs * 1000 })]
        : [],
    );
    const inOrderBytes = Math.round(this.#inOrderBytes);
    const sample = batch(at(ms), [connection(subflows, { inOrderBytes })]);
    this.events.push({ type: 'samples', monotonicMs: at(ms), batch: sample });
    this.#estimator = observeSamples(this.#estimator, sample);
  }

  /** Ends the request when it is complete, or when the rule abandons it. */
  #judge(active: Active, ms: number): void {
    const rest = sumOf(active.left);
    if (rest <= 1) {
      this.#end(active, ms, 'ok');
      this.#screen.append(active.rung);
      return;
    }
    const { bufferMs } = this.#screen;
    const expected = forecast(this.#estimator, at(ms));
    const request = {
      requestId: active.requestId,
      mediaType: 'video' as const,
      rung: active.rung,
      startMs: active.startMs,
      bytesLoaded: active.bytes - rest,
      bytesTotal: active.bytes,
      durationMs: SEGMENT_MS,
    };
    const observation = {
      monotonicMs: ms,
      ladders: [ladder],
      currentRung: { video: active.rung },
      bufferMs: { video: bufferMs },
      bufferTargetMs: BUFFER_TARGET_MS,
      playing: true,
      requests: [request],
      segmentDurationMs: { video: SEGMENT_MS },
    };
    const abandon = judgeRequests(observation, expected, () => sure);
    if (!abandon) return;
    this.events.push({
      type: 'decision',
      monotonicMs: at(ms),
      kind: 'abandon',
      rule: 'multipath-abandon',
      mediaType: 'video',
      fromRung: active.rung,
      toRung: abandon.toRung,
      bufferMs,
      forecast: expected,
      reason: abandon.reason,
    });
    this.#nextIndex -= 1;
    this.#end(active, ms, 'abandoned');
  }

  #end(active: Active, ms: number, outcome: 'ok' | 'abandoned'): void {
    const { requestId, rung, index, startMs, firstByteMs, bytes, left } = active;
    const ended = {
      requestId,
      startMs: at(startMs),
      firstByteMs: firstByteMs === undefined ? undefined : at(firstByteMs),
      endMs: at(ms),
      bytes: Math.round(bytes - sumOf(left)),
      outcome,
    };
    this.#estimator = observeRequestEnd(this.#estimator, ended);
    this.events.push({
      type: 'request',
      monotonicMs: at(ms),
      kind: 'media',
      mediaType: 'video',
      url: `http://10.0.0.1/v${rung}/${index}.m4s`,
      rung,
      segmentIndex: index,
      mediaStartMs: index * SEGMENT_MS,
      mediaDurationMs: SEGMENT_MS,
      status: 200,
      ...ended,
    });
    this.#active = undefined;
  }
}
