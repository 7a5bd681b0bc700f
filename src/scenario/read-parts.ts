import type { MediaFormat, MeteredFormat, ServerFormat, TrafficFormat } from './format';
import { notKnown } from './near-name';
import type { Problems, ReadContext } from './problems';
import { given } from './read-link';
import {
  type LiveSpec,
  type MediaSpec,
  type MeteredSpec,
  type PathUseSpec,
  type ServerSpec,
  type Topology,
  type CallsSpec,
  type TrafficSpec,
  WEB_OBJECT_BYTES,
} from './types';

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
export function withServerControl(topology: Topology, written: ServerFormat | undefined): Topology {
  const congestionControl = written?.congestionControl;
  if (congestionControl === undefined) return topology;
  return {
    ...topology,
    nodes: topology.nodes.map((node) =>
      node.role === 'server' ? { ...node, congestionControl } : node,
    ),
  };
}

export function mediaFrom(
  written: MediaFormat | undefined,
  { problems, files }: ReadContext,
): MediaSpec {
  if (written === undefined || typeof written === 'string' || written.kind === 'demo') {
    return { kind: 'demo' };
  }
  if (written.kind === 'folder') {
    const mpd = written.mpd ?? 'manifest.mpd';
    if (mpd.startsWith('/') || mpd.split('/').includes('..')) {
      problems.add(['media', 'mpd'], 'is meant within dir');
    }
    return { kind: 'folder', dir: files.resolve(written.dir), mpd };
  }
  const { video, audio = [AUDIO_BPS], segment = SEGMENT_MS, pictures, sizes } = written;
  if (sizes !== undefined && pictures === undefined) {
    problems.add(['media', 'sizes'], 'only with pictures: small, whose segments are filled up');
  }
  for (const [key, rates] of Object.entries({ video, audio })) {
    rates.forEach((rateBps, index) => {
      if (rateBps <= (rates[index - 1] ?? 0)) {
        problems.add(['media', key, index], 'is not above the rate before it');
      }
    });
  }
  return {
    kind: 'ladder',
    videoBps: video,
    audioBps: audio,
    segmentMs: segment,
    ...given({ pictures, sizes }),
    ...liveFrom(written.live, segment, problems),
  };
}

type LiveFormat = Extract<MediaFormat, { kind: 'ladder' }>['live'];

/** Low latency by default: chunks of a quarter of a second, 3 s behind the encoder. */
const LIVE_LATENCY_MS = 3000;

function liveFrom(written: LiveFormat, segmentMs: number, problems: Problems): { live?: LiveSpec } {
  if (written === undefined) return {};
  const { latency: latencyMs = LIVE_LATENCY_MS, chunk: chunkMs } = written;
  if (chunkMs !== undefined && (chunkMs >= segmentMs || segmentMs % chunkMs !== 0)) {
    problems.add(
      ['media', 'live', 'chunk'],
      `is no part of a segment of ${segmentMs} ms: take ${segmentMs / 8}ms, or leave it out`,
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

function intensityOf(written: TrafficFormat): number {
  switch (written.kind) {
    case 'ftp':
      return written.connections ?? 1;
    case 'web':
      return written.perSecond ?? 1;
    case 'voip': {
      const { calls, perSecond, hold = CALL_MS } = written;
      // Twice what comes at that rate: the rate alone decides.
      return calls ?? (perSecond === undefined ? 1 : Math.ceil((2 * perSecond * hold) / 1000));
    }
  }
}

/** Length of a call, and calls begun a second where only their number is given. */
const CALL_MS = 10_000;

function callsFrom(written: Extract<TrafficFormat, { kind: 'voip' }>): CallsSpec {
  const { perSecond, hold: holdMs = CALL_MS, ports } = written;
  const rate = perSecond ?? Math.max(Math.ceil(intensityOf(written) / 2), 1);
  return { perSecond: rate, holdMs, ports: ports ?? 'each' };
}

export function trafficFrom(
  written: readonly TrafficFormat[],
  topology: Topology,
  { problems }: ReadContext,
): TrafficSpec[] {
  const nodes = topology.nodes.filter(({ role }) => role !== 'router').map(({ id }) => id);
  const ids = new Set<string>();
  return written.map((entry, index): TrafficSpec => {
    const path = ['traffic', index];
    const { kind, id = `${kind}-${index + 1}`, from, to, start = 0, for: durationMs } = entry;
    if (ids.has(id)) problems.add([...path, 'id'], `there is traffic called ${id} already`);
    ids.add(id);
    for (const [key, node] of [
      ['from', from],
      ['to', to],
    ] as const) {
      if (!nodes.includes(node)) problems.add([...path, key], notKnown(node, 'a host', nodes));
    }
    if (from === to) problems.add([...path, 'to'], 'is the node it comes from');
    return {
      id,
      kind,
      from,
      to,
      startMs: start,
      intensity: intensityOf(entry),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(entry.kind === 'ftp' ? given({ rateBps: entry.rate }) : {}),
      ...(entry.kind === 'voip' ? { calls: callsFrom(entry) } : {}),
      ...(entry.kind === 'web' ? { objectBytes: entry.object ?? WEB_OBJECT_BYTES } : {}),
    };
  });
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
