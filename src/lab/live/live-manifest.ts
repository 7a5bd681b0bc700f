import type { LiveFilm } from './live-film';

export interface LiveManifest {
  film: LiveFilm;
  /** The MPD of the whole film: one period, segments by number and duration, as ffmpeg writes it. */
  mpd: string;
  /** Target latency for players; absent: their own default. */
  latencyMs?: number | undefined;
  /** Base address of the segments; absent: that of the MPD. */
  baseUrl?: string;
  /** Address of the server's clock. Absent: the MPD does not name one. */
  timeUrl?: string;
}

/** Time-shift window: a viewer can seek back by several segments. Chosen; no measurement. */
const DEFAULT_WINDOW_MS = 20_000;
/** Longest time between a player's requests for the MPD (minimumUpdatePeriod). Chosen; no measurement. */
const UPDATE_SECONDS = 4;

const seconds = (ms: number): string => `PT${ms / 1000}S`;

/**
 * The MPD of a film that an encoder is still writing (ISO/IEC 23009-1, 5.3.1.2; low latency: DASH-IF, Low-Latency Modes
 * for DASH, sections 9.X.4.2 and 9.X.4.3).
 */
export function liveManifest(options: LiveManifest): string {
  const { film, latencyMs, baseUrl, timeUrl } = options;
  const started = new Date(film.startedAtMs).toISOString();
  const { chunkMs } = film;
  // A player may request a segment as soon as its first chunk exists.
  const offset =
    chunkMs === undefined
      ? ''
      : ` availabilityTimeOffset="${(film.segmentMs - chunkMs) / 1000}" availabilityTimeComplete="false"`;
  const latency =
    latencyMs === undefined
      ? ''
      : `<ServiceDescription id="0"><Latency target="${latencyMs}" min="${latencyMs / 2}" max="${2 * latencyMs}"/></ServiceDescription>`;
  const base = baseUrl === undefined ? '' : `<BaseURL>${baseUrl}</BaseURL>`;
  const clock =
    timeUrl === undefined
      ? ''
      : `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="${timeUrl}"/>`;
  return options.mpd
    .replace(/\btype="static"/, 'type="dynamic"')
    .replace(
      /\s+mediaPresentationDuration="[^"]*"/,
      ` availabilityStartTime="${started}" publishTime="${started}" minimumUpdatePeriod="PT${UPDATE_SECONDS}S" timeShiftBufferDepth="${seconds(film.windowMs ?? DEFAULT_WINDOW_MS)}"`,
    )
    .replace(/minBufferTime="[^"]*"/, 'minBufferTime="PT1S"')
    .replace(/<ProgramInformation[\s\S]*<\/ServiceDescription>/, base + latency)
    .replaceAll(/startNumber="\d+"/g, `startNumber="${film.firstNumber ?? 1}"${offset}`)
    .replace('</MPD>', `${clock}</MPD>`);
}
