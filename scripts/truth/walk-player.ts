// RobustMPC over a real network, without a browser. Over byte ranges the next segment is chosen and requested when a third
// of the present one is left. The player and the simulator announce it then, and choose its rung when the present one
// has arrived.
// Usage: LD_PRELOAD=... node --import tsx walk-player.ts ORIGIN SECONDS OVER. Prints a line once it is loaded, begins when
// its standard input ends, and prints a WalkResult.
import { text } from 'node:stream/consumers';
import { robustMpc } from '../../src/abr';
import { errorText } from '../../src/core';
import {
  BUFFER_MS,
  INIT_BYTES,
  LADDER_BPS,
  MANIFEST_BYTES,
  measured,
  SEGMENT_MS,
  segmentBytes,
  segmentPath,
  type Fetched,
} from './walk-cases';
import { overOneConnection, overRanges, type WalkCarrier, type WalkRequest } from './walk-carriers';

const [origin = '', seconds = '60', over = 'mptcp'] = process.argv.slice(2);
const HORIZON = 5;
const REHEARSED = 5;
/** A session that never starts ends after this time. */
const PATIENCE_MS = 120_000;
/** The next segment is requested when this share of the present one is here. */
const DUE_SHARE = 2 / 3;
/** dash.js's wait before it requests a media segment again. */
const RETRY_MS = 1000;
/** Least time of a rate: over less it measures how packets cluster. */
const MIN_RATE_MS = 100;

const nothing = (): void => undefined;
const open = (): Promise<WalkCarrier> =>
  over === 'ranges' ? overRanges(origin) : Promise.resolve(overOneConnection(origin));
// Code that runs for the first time is slow. A player's process is older than its stream; its connections are not.
const rehearsal = await open();
for (let count = 0; count < REHEARSED; count += 1) {
  await rehearsal.fetch({ path: `${segmentPath(0)}?0${count}`, bytes: segmentBytes(0) }, nothing);
}
rehearsal.close();
const carrier = await open();
console.log('ready');
await text(process.stdin);
const beginMs = performance.now();
const now = (): number => performance.now() - beginMs;

const ladder = {
  mediaType: 'video' as const,
  rungs: LADDER_BPS.map((bitrateBps, index) => ({
    index,
    bitrateBps,
    representationId: String(index),
  })),
};
const nextBytes = Array.from({ length: HORIZON }, () =>
  LADDER_BPS.map((_, rung) => segmentBytes(rung)),
);

const fetched: Fetched[] = [];
const throughputBps: number[] = [];
let startMs: number | undefined;
let stalledMs = 0;
/** Film time that is here, and wall time at which it has been played. */
let endsAtMs = 0;
/** Segments under way, oldest first. */
let underWay: { rung: number; loadedBytes: number }[] = [];
let lastRung = -1;
let segment = 0;
/** Time and byte count at which the measurement of the next rate began. */
let rateFrom = { atMs: 0, bytes: 0 };

const playedMs = Number(seconds) * 1000;
const limitMs = (): number => (startMs === undefined ? PATIENCE_MS : startMs + playedMs);

function finish(): never {
  const open = startMs === undefined ? 0 : Math.max(0, limitMs() - endsAtMs);
  // Segments after the playhead were loaded and never seen.
  const seen = Math.ceil((playedMs - stalledMs - open) / SEGMENT_MS);
  const shown = fetched.slice(0, Math.max(1, seen + 1));
  const twiceShare = carrier.twiceShare();
  const result = measured(shown, startMs ?? limitMs(), stalledMs + open);
  console.log(JSON.stringify({ ...result, ...(twiceShare === undefined ? {} : { twiceShare }) }));
  process.exit(0);
}

setInterval(() => {
  if (now() >= limitMs()) finish();
}, 20);

const bufferMs = (): number => (startMs === undefined ? 0 : Math.max(0, endsAtMs - now()));
/** The buffer once everything under way is here, at the latest rate. */
function expectedBufferMs(): number {
  const rateBps = throughputBps.at(-1);
  if (underWay.length === 0 || rateBps === undefined) return bufferMs();
  const bytes = underWay.reduce((sum, one) => sum + segmentBytes(one.rung) - one.loadedBytes, 0);
  return Math.max(0, bufferMs() - (bytes * 8000) / rateBps) + underWay.length * SEGMENT_MS;
}
const overTargetMs = (): number => bufferMs() + underWay.length * SEGMENT_MS - BUFFER_MS;

function requestNext(): void {
  const rung = robustMpc({
    ladder,
    currentRung: lastRung,
    bufferMs: expectedBufferMs(),
    bufferTargetMs: BUFFER_MS,
    segmentMs: SEGMENT_MS,
    throughputBps,
    nextBytes,
  });
  lastRung = rung;
  segment += 1;
  const own = { rung, loadedBytes: 0 };
  const askedMs = now();
  if (underWay.length === 0) rateFrom = { atMs: askedMs, bytes: carrier.usefulBytes() };
  const neededInMs = bufferMs() + underWay.length * SEGMENT_MS;
  underWay.push(own);
  const request = {
    path: `${segmentPath(rung)}?${segment}`,
    bytes: segmentBytes(rung),
    ...(startMs === undefined ? {} : { neededInMs }),
  };
  void fetchWhole(request, (bytes) => {
    own.loadedBytes = bytes;
    const isDue = bytes >= DUE_SHARE * segmentBytes(rung) && underWay.at(-1) === own;
    if (carrier.asksAhead && isDue && bytes < segmentBytes(rung) && overTargetMs() < 0) {
      requestNext();
    }
  }).then(() => arrived(own, askedMs));
}

/** A connection that breaks costs the wait that dash.js has before it requests a segment again. */
async function fetchWhole(request: WalkRequest, onBytes: (bytes: number) => void): Promise<void> {
  for (;;) {
    try {
      await carrier.fetch(request, onBytes);
      return;
    } catch (error) {
      process.stderr.write(`${request.path}: ${errorText(error)}\n`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function arrived(own: (typeof underWay)[number], askedMs: number): void {
  underWay = underWay.filter((one) => one !== own);
  const hereMs = now();
  fetched.push({ rung: own.rung, startMs: askedMs, endMs: hereMs });
  const overMs = hereMs - rateFrom.atMs;
  if (!carrier.asksAhead) {
    throughputBps.push((segmentBytes(own.rung) * 8000) / (hereMs - askedMs));
  } else if (overMs >= MIN_RATE_MS) {
    throughputBps.push(((carrier.usefulBytes() - rateFrom.bytes) * 8000) / overMs);
  }
  rateFrom = { atMs: hereMs, bytes: carrier.usefulBytes() };
  if (startMs === undefined) {
    startMs = hereMs;
    endsAtMs = hereMs + SEGMENT_MS;
  } else {
    stalledMs += Math.max(0, hereMs - endsAtMs);
    endsAtMs = Math.max(endsAtMs, hereMs) + SEGMENT_MS;
  }
  requestWhenThereIsRoom();
}

function requestWhenThereIsRoom(): void {
  if (underWay.length > 0) return;
  const waitMs = overTargetMs();
  if (waitMs < 0) requestNext();
  else setTimeout(requestWhenThereIsRoom, Math.max(10, waitMs));
}

await fetchWhole({ path: '/manifest.mpd', bytes: MANIFEST_BYTES }, nothing);
await fetchWhole({ path: '/init.mp4', bytes: INIT_BYTES }, nothing);
requestWhenThereIsRoom();
