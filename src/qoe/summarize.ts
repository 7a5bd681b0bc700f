import { DownloadSummary } from './download-summary';
import type { ConfigEvent, EndEvent, LogEvent } from '../session-log';
import { linearQoe } from './linear-qoe';
import { PlaybackSummary } from './playback-summary';
import type { SessionSummary } from './summary-types';
import { TransportSummary } from './transport-summary';

/** Errors kept in a summary, so that a repeated one cannot fill it. Chosen; no measurement. */
const MAX_ERRORS = 50;

/** Takes a session's events one by one. `finish` may be called at any time and repeatedly. */
export interface SummaryBuilder {
  add(event: LogEvent): void;
  finish(): SessionSummary;
  /** Numbers that it keeps for its statistics. */
  readonly size: number;
}

/** An accumulator for one session. Its memory is bounded: it may follow a stream for days. */
export function createSummary(): SummaryBuilder {
  const playback = new PlaybackSummary();
  const downloads = new DownloadSummary();
  const transport = new TransportSummary();
  const errors: SessionSummary['errors'] = [];
  let errorCount = 0;
  let config: ConfigEvent | undefined;
  let end: EndEvent | undefined;
  let firstMs: number | undefined;
  let lastMs = 0;
  let lastPositionMs = 0;

  const add = (event: LogEvent): void => {
    if (!Number.isFinite(event.monotonicMs)) return;
    firstMs = Math.min(firstMs ?? event.monotonicMs, event.monotonicMs);
    lastMs = Math.max(lastMs, event.monotonicMs);
    switch (event.type) {
      case 'config':
        config ??= event;
        return;
      case 'status':
        transport.addStatus(event.status);
        return;
      case 'manifest':
        playback.setMedia(event.ladders, event.durationMs);
        return;
      case 'carriage':
        transport.addCarriage(event.report);
        return;
      case 'samples':
        transport.addSamples(event.batch);
        return;
      case 'request':
        // Requests in a log without bit rates refer to the last reported ladder.
        downloads.add({ bitrateBps: playback.bitrateOf(event.rung), ...event });
        return;
      case 'switch':
        playback.addSwitch(event);
        return;
      case 'startup':
        playback.addStartup(event);
        return;
      case 'stall':
        playback.addStall(event);
        return;
      case 'player':
        playback.addPlayer(event);
        lastPositionMs = Math.max(lastPositionMs, event.positionMs);
        return;
      case 'error':
        errorCount += 1;
        if (errors.length < MAX_ERRORS) {
          const { code, message, fatal } = event;
          errors.push({ atMs: event.monotonicMs - firstMs, code, message, fatal });
        }
        return;
      case 'end':
        end = event;
        lastPositionMs = Math.max(lastPositionMs, playback.addEnd(event) ?? 0);
        return;
      case 'path':
      case 'decision':
        return;
    }
  };

  const finish = (): SessionSummary => {
    const sessionMs = Math.max(0, lastMs - (firstMs ?? lastMs));
    const played = playback.finish(lastMs);
    // A segment downloaded but never reached does not count as experience.
    const rungs = downloads.videoRungs(lastPositionMs);
    const isPlayed = played.startupDelayMs !== null || played.playedMs > 0;
    const top = played.topBitrateBps ?? rungs.topBps;
    return {
      schemaVersion: 1,
      startedAt: config?.startedAt ?? null,
      player: config ? `${config.player} ${config.playerVersion}` : null,
      sessionMs,
      complete: end !== undefined,
      endReason: end?.reason ?? null,
      ...played,
      ...downloads.finish(),
      ...transport.finish(sessionMs),
      linearQoe: isPlayed ? linearQoe(rungs, played.stalls.totalMs, top) : null,
      errors: [...errors],
      errorCount,
    };
  };
  return {
    add,
    finish,
    get size() {
      return downloads.size + playback.size;
    },
  };
}

/** The summary of a whole log, wherever it was cut. */
export function summarize(
  events: Iterable<LogEvent>,
  options: { logFile?: string | undefined } = {},
): SessionSummary {
  const summary = createSummary();
  for (const event of events) summary.add(event);
  const result = summary.finish();
  return options.logFile === undefined ? result : { ...result, logFile: options.logFile };
}
