import type { MediaFormat, MeteredFormat, ServerFormat } from './format';
import { frameRate, isWholeFrames } from './media-limits';
import { notKnown } from './near-name';
import type { Problems, ReadContext } from './problems';
import { given } from './read-link';
import { isCongestionControl, noCongestionControl } from './topology-names';
import type { LiveSpec, MediaSpec, MeteredSpec, PathUseSpec, ServerSpec, Topology } from './types';

/** Rate of the demo's audio rung. */
const AUDIO_BPS = 128_000;
/** Length of a ladder's segments if the scenario sets none. */
const SEGMENT_MS = 4000;

/** Paper `mptcp-plus`, section IV-A; it does not give the period. */
export const PATH_USE: PathUseSpec = { samples: 150, rho: 0.6, periodMs: 100 };

/** HTTP/1.1 without TLS, with MPTCP, by default. */
export function serverFrom(
  written: ServerFormat | undefined,
  { problems }: ReadContext,
): ServerSpec {
  const { http = 'http1', tls, mptcp = true, pathUse } = written ?? {};
  if (http === 'http2' && tls === false) {
    problems.add(
      ['server', 'tls'],
      'browsers speak HTTP/2 only over TLS: leave it out, or take http1',
    );
  }
  if (pathUse !== undefined && !mptcp) {
    problems.add(['server', 'pathUse'], 'decides about the paths of MPTCP: leave out mptcp: false');
  }
  const server = { http, tls: tls ?? http === 'http2', mptcp };
  if (pathUse === undefined) return server;
  const { n: samples = PATH_USE.samples, rho = PATH_USE.rho, period = PATH_USE.periodMs } = pathUse;
  return { ...server, pathUse: { samples, rho, periodMs: period } };
}

/** Applies the congestion control of `server` to the node that serves. */
export function withServerControl(
  topology: Topology,
  written: ServerFormat | undefined,
  { problems }: ReadContext,
): Topology {
  const congestionControl = written?.congestionControl;
  if (congestionControl === undefined) return topology;
  if (!isCongestionControl(congestionControl)) {
    problems.add(['server', 'congestionControl'], noCongestionControl(congestionControl));
  }
  return {
    ...topology,
    nodes: topology.nodes.map((node) =>
      node.role === 'server' ? { ...node, congestionControl } : node,
    ),
  };
}

/** nginx has no notation for these in the folder it serves. */
const NOT_SERVED = /["$\\]/;
/** The MPD's name is part of the URL that a player opens. */
const NOT_IN_URL = /[?#%\\]/;

function folderFrom(
  { dir, mpd = 'manifest.mpd' }: Extract<MediaFormat, { kind: 'folder' }>,
  { problems, files }: ReadContext,
): MediaSpec {
  if (mpd.startsWith('/') || mpd.split('/').includes('..')) {
    problems.add(['media', 'mpd'], 'is meant within dir');
  }
  if (NOT_IN_URL.test(mpd)) {
    problems.add(['media', 'mpd'], 'is part of a URL: rename the file so that it has no ? # % \\');
  }
  const resolved = files.resolve(dir);
  if (NOT_SERVED.test(resolved)) {
    problems.add(
      ['media', 'dir'],
      `the server cannot serve ${resolved}: rename it so that it has no " $ \\`,
    );
  }
  return { kind: 'folder', dir: resolved, mpd };
}

/** @param isMade the lab makes the media; a simulation has any length of segments */
export function mediaFrom(
  written: MediaFormat | undefined,
  context: ReadContext,
  isMade: boolean,
): MediaSpec {
  if (written === undefined || typeof written === 'string' || written.kind === 'demo') {
    return { kind: 'demo' };
  }
  if (written.kind === 'folder') return folderFrom(written, context);
  const { problems } = context;
  const { video, audio = [AUDIO_BPS], segment = SEGMENT_MS, pictures, sizes } = written;
  if (sizes !== undefined && pictures === undefined) {
    problems.add(['media', 'sizes'], 'only with pictures: small, whose segments are filled up');
  }
  const framesPerSecond = frameRate(given({ pictures }));
  if (isMade && !isWholeFrames(segment, framesPerSecond)) {
    problems.add(
      ['media', 'segment'],
      `is not a whole number of frames (${framesPerSecond} a second)`,
    );
  }
  for (const [key, rates] of Object.entries({ video, audio })) {
    rates.forEach((rateBps, index) => {
      if (rateBps <= (rates[index - 1] ?? 0)) {
        problems.add(['media', key, index], 'is not above the rate before it');
      }
      if (!Number.isInteger(rateBps)) {
        problems.add(['media', key, index], 'is not a whole number of bits a second');
      }
    });
  }
  return {
    kind: 'ladder',
    videoBps: video,
    audioBps: audio,
    segmentMs: segment,
    ...given({ pictures, sizes }),
    ...liveFrom(written.live, segment, framesPerSecond, problems),
  };
}

type LiveFormat = Extract<MediaFormat, { kind: 'ladder' }>['live'];

/** Low latency by default: chunks of a quarter of a second, 3 s behind the encoder. */
const LIVE_LATENCY_MS = 3000;

/** The shortest of the usual parts of a segment, in whole frames. */
function chunkOf(segmentMs: number, framesPerSecond: number): number | undefined {
  return [8, 7, 6, 5, 4, 3, 2]
    .map((parts) => segmentMs / parts)
    .find((ms) => Number.isInteger(ms) && isWholeFrames(ms, framesPerSecond));
}

function liveFrom(
  written: LiveFormat,
  segmentMs: number,
  framesPerSecond: number,
  problems: Problems,
): { live?: LiveSpec } {
  if (written === undefined) return {};
  const { latency: latencyMs = LIVE_LATENCY_MS, chunk: chunkMs } = written;
  const isPart = (ms: number): boolean =>
    ms < segmentMs && segmentMs % ms === 0 && isWholeFrames(ms, framesPerSecond);
  if (chunkMs !== undefined && !isPart(chunkMs)) {
    const usualMs = chunkOf(segmentMs, framesPerSecond);
    problems.add(
      ['media', 'live', 'chunk'],
      `is no part of a segment of ${segmentMs} ms in whole frames (${framesPerSecond} a second): ` +
        `${usualMs === undefined ? '' : `take ${usualMs}ms, or `}leave it out`,
    );
  }
  const minMs = 2 * (chunkMs ?? segmentMs);
  if (latencyMs < minMs) {
    const unit = chunkMs === undefined ? 'segments' : 'chunks';
    problems.add(
      ['media', 'live', 'latency'],
      `is less than two ${unit} (${minMs} ms): a player could not keep it`,
    );
  }
  return { live: { latencyMs, ...given({ chunkMs }) } };
}

export function meteredFrom(
  written: MeteredFormat | undefined,
  topology: Topology,
  { problems }: ReadContext,
): { metered?: MeteredSpec[] } {
  if (written === undefined) return {};
  const names = topology.paths.map(({ id }) => id);
  const metered = written.map((entry, index): MeteredSpec => {
    const isName = typeof entry === 'string';
    const path = isName ? entry : entry.path;
    const where = isName ? ['metered', index] : ['metered', index, 'path'];
    if (!names.includes(path)) problems.add(where, notKnown(path, 'a path', names));
    if (isName) return { path };
    return {
      path,
      ...given({ costPerGb: entry.costPerGb, budgetBytes: entry.budget }),
    };
  });
  return { metered };
}
