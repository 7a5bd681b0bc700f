import { createAbandonState, describeBuffer, describeForecast, judgeRequest } from '../../abr';
import { type SampleBatch, createRandom, formatBitRate } from '../../core';
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
  bitratesKbps,
  ladder,
  type SyntheticOptions,
  type SyntheticPath,
} from './synthetic-network';

interface Active {
  requestId: number;
  rung: number;
  index: number;
  startMs: number;
  firstByteMs: number | undefined;
  bytes: number;
  left: number[];
}

/**
 * A whole session in a fluid network, in 100 ms steps, with the real estimator and rules. It is deterministic
 * for a seed, and serves tests and previews of the report.
 */
export function syntheticLog(options: SyntheticOptions): LogEvent[] {
  const { paths, seconds = 60, seed = 1 } = options;
  const random = createRandom(seed);
  const events: LogEvent[] = [];
  const base = 1_000_000;
  const at = (ms: number): number => base + ms;
  const received = paths.map(() => 0);
  let inOrderBytes = 0;
  let estimator = createPathEstimator();
  let abandon = createAbandonState();
  let active: Active | undefined;
  let nextIndex = 0;
  let nextRequest = 1;
  let rung = -1;
  let shownRung = -1;
  let bufferMs = 0;
  let positionMs = 0;
  let playing = false;
  let stalledAtMs: number | undefined;
  let decoded = 0;
  const buffered: number[] = [];
  const segmentMs = 2000;

  events.push(
    {
      type: 'config',
      monotonicMs: at(0),
      schemaVersion: 1,
      startedAt: '2026-01-01T12:00:00.000Z',
      player: 'synthetic',
      playerVersion: '1',
      settings: { name: options.name ?? 'synthetic', paths, nasty: '</script><b>' },
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
      status: { state: 'multipath', reason: `${String(paths.length)} paths carry the stream` },
    },
  );

  const up = (path: SyntheticPath, ms: number): boolean =>
    !(path.downMs && ms >= path.downMs[0] && ms < path.downMs[1]);

  for (let ms = 100; ms <= seconds * 1000; ms += 100) {
    for (const path of paths) {
      for (const [i, edge] of (path.downMs ?? []).entries()) {
        if (edge <= ms - 100 || edge > ms) continue;
        const event = {
          monotonicMs: at(edge),
          kind: i === 0 ? ('interface-down' as const) : ('interface-up' as const),
          pathId: path.id,
          interfaceName: path.id,
        };
        estimator = observePathEvent(estimator, event);
        events.push({ type: 'path', monotonicMs: at(edge), event });
      }
    }
    if (!active && bufferMs < 16_000) {
      const expected = forecast(estimator, at(ms - 100));
      const roomKbps = (expected.safeRateBps / 1000) * (bufferMs < 6000 ? 0.5 : 0.85);
      const chosen = Math.max(0, bitratesKbps.filter((kbps) => kbps <= roomKbps).length - 1);
      events.push({
        type: 'decision',
        monotonicMs: at(ms - 100),
        kind: 'select',
        rule: 'multipath',
        mediaType: 'video',
        fromRung: rung,
        toRung: chosen,
        bufferMs,
        forecast: expected,
        reason: `${formatBitRate(1000 * (bitratesKbps[chosen] ?? 0))}: ${describeForecast(expected)}, ${describeBuffer(bufferMs)}`,
      });
      rung = chosen;
      const bytes = ((bitratesKbps[rung] ?? 300) * segmentMs * (0.85 + 0.3 * random())) / 8;
      const live = paths.map((path) => (up(path, ms) ? path.rateBps * (path.drag ?? 1) : 0));
      const sum = live.reduce((a, b) => a + b, 0);
      active = {
        requestId: nextRequest,
        rung,
        index: nextIndex,
        startMs: ms - 100,
        firstByteMs: undefined,
        bytes,
        // Without a path, the bytes wait on the first one.
        left: live.map((rate, i) => (sum > 0 ? (bytes * rate) / sum : i === 0 ? bytes : 0)),
      };
      nextRequest += 1;
      nextIndex += 1;
      estimator = observeRequestStart(estimator, {
        requestId: active.requestId,
        startMs: at(active.startMs),
      });
    }
    if (active) {
      const request = active;
      const total = request.left.reduce((a, b) => a + b, 0);
      for (const [i, path] of paths.entries()) {
        const delayed = ms - request.startMs <= path.rttMs;
        const noise = 0.9 + 0.2 * random();
        const left = request.left[i] ?? 0;
        const step = up(path, ms) && !delayed ? Math.min(left, (path.rateBps * noise) / 80) : 0;
        request.left[i] = left - step;
        received[i] = (received[i] ?? 0) + step;
        // The other paths carry the lost bytes of a stale path.
        if (!up(path, ms) && (request.left[i] ?? 0) > 0) {
          const other = paths.findIndex((one) => up(one, ms));
          if (other >= 0) request.left[other] = (request.left[other] ?? 0) + (request.left[i] ?? 0);
          request.left[i] = 0;
        }
      }
      const rest = request.left.reduce((a, b) => a + b, 0);
      if (rest < total) request.firstByteMs ??= ms - 50;
      const worst = Math.max(...request.left);
      const outOfOrderShare = rest > 0 ? Math.min(0.4, (worst / request.bytes) * 0.5) : 0;
      inOrderBytes = Math.max(
        inOrderBytes,
        received.reduce((a, b) => a + b, 0) - outOfOrderShare * (request.bytes - rest),
      );
    }
    const sample: SampleBatch = batch(at(ms), [
      connection(
        paths.flatMap((path, i) =>
          up(path, ms) ? [subflow(path.id, received[i] ?? 0, { rcvRttUs: path.rttMs * 1000 })] : [],
        ),
        { inOrderBytes: Math.round(inOrderBytes) },
      ),
    ]);
    events.push({ type: 'samples', monotonicMs: at(ms), batch: sample });
    estimator = observeSamples(estimator, sample);

    const rest = active?.left.reduce((a, b) => a + b, 0) ?? 0;
    const expected = forecast(estimator, at(ms));
    const judged =
      active && rest > 1
        ? judgeRequest(abandon, {
            requestId: active.requestId,
            ladder,
            rung: active.rung,
            elapsedMs: ms - active.startMs,
            bytesLoaded: active.bytes - rest,
            bytesTotal: active.bytes,
            segmentDurationMs: segmentMs,
            bufferMs,
            forecast: expected,
          })
        : undefined;
    if (judged) abandon = judged.state;
    if (active && (rest <= 1 || judged?.decision.abandon === true)) {
      const outcome = rest <= 1 ? ('ok' as const) : ('abandoned' as const);
      if (judged?.decision.abandon === true) {
        events.push({
          type: 'decision',
          monotonicMs: at(ms),
          kind: 'abandon',
          rule: 'multipath-abandon',
          mediaType: 'video',
          fromRung: active.rung,
          toRung: judged.decision.toRung,
          bufferMs,
          forecast: expected,
          reason: judged.reason,
        });
        nextIndex -= 1;
      }
      const ended = {
        requestId: active.requestId,
        startMs: at(active.startMs),
        firstByteMs: active.firstByteMs === undefined ? undefined : at(active.firstByteMs),
        endMs: at(ms),
        bytes: Math.round(active.bytes - rest),
        outcome,
      };
      estimator = observeRequestEnd(estimator, ended);
      events.push({
        type: 'request',
        monotonicMs: at(ms),
        kind: 'media',
        mediaType: 'video',
        url: `http://10.0.0.1/v${String(active.rung)}/${String(active.index)}.m4s`,
        rung: active.rung,
        segmentIndex: active.index,
        mediaStartMs: active.index * segmentMs,
        mediaDurationMs: segmentMs,
        status: 200,
        ...ended,
      });
      if (outcome === 'ok') {
        bufferMs += segmentMs;
        buffered.push(active.rung);
      }
      active = undefined;
    }

    if (!playing && bufferMs >= segmentMs) {
      playing = true;
      if (positionMs === 0)
        events.push({ type: 'startup', monotonicMs: at(ms), startupDelayMs: ms });
      if (stalledAtMs !== undefined) {
        const durationMs = ms - stalledAtMs;
        events.push({ type: 'stall', monotonicMs: at(ms), phase: 'end', durationMs });
        stalledAtMs = undefined;
      }
    }
    if (playing) {
      const step = Math.min(100, bufferMs);
      bufferMs -= step;
      positionMs += step;
      decoded += (step / 1000) * 25;
      const shown = buffered[Math.floor(positionMs / segmentMs)] ?? shownRung;
      if (shown !== shownRung && shownRung >= 0) {
        events.push({
          type: 'switch',
          monotonicMs: at(ms),
          mediaType: 'video',
          fromRung: shownRung,
          toRung: shown,
          fromBitrateBps: (bitratesKbps[shownRung] ?? 0) * 1000,
          toBitrateBps: (bitratesKbps[shown] ?? 0) * 1000,
        });
      }
      shownRung = shown;
      if (bufferMs <= 0) {
        playing = false;
        stalledAtMs = ms;
        events.push({ type: 'stall', monotonicMs: at(ms), phase: 'start' });
      }
    }
    if (ms % 500 === 0) {
      events.push({
        type: 'player',
        monotonicMs: at(ms),
        positionMs,
        bufferMs,
        playing,
        rung: shownRung,
        bitrateBps: (bitratesKbps[shownRung] ?? 0) * 1000,
        decodedFrames: Math.floor(decoded),
        droppedFrames: 0,
      });
    }
  }
  events.push({ type: 'end', monotonicMs: at(seconds * 1000 + 10), reason: 'time-up' });
  return events;
}
