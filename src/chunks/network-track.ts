import { emptyEwma, ewmaMean, updateEwma, type Ewma } from '../core';
import type { ChunkConfig } from './config';
import type { FlightStep, FlightTrack } from './flight-track';
import type { ObservedNetwork } from './types';

/** The record of a network. Times are of the scheduler's own clock. */
export interface NetworkTrack {
  networkId: string;
  health: 'untried' | 'healthy' | 'faded';
  /** Goodput while it was in use. */
  rate: Ewma;
  /** Bytes and time in use that are not in `rate` yet. */
  bin: { bytes: number; busyMs: number };
  /** Shortest answer. */
  rttMs: number | null;
  /** Usual answer of late, queues included. */
  responseMs: number | null;
  /** The largest amount that a chunk delivered since the network last faded. */
  provenBytes: number;
  /** Of the latest byte. */
  byteMs: number;
  /** Since the network last delivered more than a packet, and its bytes after that. */
  trickle: { sinceMs: number; bytes: number };
  /** When it last faded, and its bytes after that. */
  faded: { atMs: number; bytes: number };
  /** When it may be probed next; meaningful while it is faded. */
  probeMs: number;
  /** Requests that failed since the last byte. */
  failures: number;
}

/** Bytes are binned for this time in use, and a round trip: shorter ones measure how packets cluster. Chosen; no measurement. */
const BIN_MS = 100;
/** The bytes delivered before a network went idle are a measurement from this amount and this time on. Chosen; no measurement. */
const LEAST_BIN_BYTES = 8000;
const LEAST_BIN_MS = 20;
/** Weight of a new answer in the usual one: 1/8, that of TCP's srtt (RFC 6298). */
const RESPONSE_GAIN = 0.125;
/** No more than one packet within the time of `silenceLimitMs` is a trickle: there the network's rate would deliver four at least. */
const PACKET_BYTES = 1500;
/** Packets that fit into the silence of a slow network. Chosen; no measurement. */
const SILENT_BITS = 4 * PACKET_BYTES * 8;
/** An answer that takes this many times as long as usual counts against the rate. Chosen; no measurement. */
const OVERDUE_SHARE = 2;
/** Patience with a network's first answer: name look-up and handshakes are in it. Chosen; no measurement. */
const FIRST_ANSWER_MS = 1000;
/** A network whose requests fail is probed less and less often, up to this many times `probeMs`. Chosen; no measurement. */
const LONGEST_BACKOFF = 8;

export function newNetwork(networkId: string, nowMs: number): NetworkTrack {
  return {
    networkId,
    health: 'untried',
    rate: emptyEwma,
    bin: { bytes: 0, busyMs: 0 },
    rttMs: null,
    responseMs: null,
    provenBytes: 0,
    byteMs: nowMs,
    trickle: { sinceMs: nowMs, bytes: 0 },
    faded: { atMs: -1, bytes: 0 },
    probeMs: nowMs,
    failures: 0,
  };
}

export function rateOf(
  track: NetworkTrack,
  hintBps: number | undefined,
  config: ChunkConfig,
): number {
  return Math.max(1, ewmaMean(track.rate) ?? hintBps ?? config.firstRateBps);
}

/** The shortest round trip, as far as it is known. */
export function rttOf(
  track: NetworkTrack,
  observed: Pick<ObservedNetwork, 'rttMs'>,
  config: ChunkConfig,
): number {
  const known = [track.rttMs ?? undefined, observed.rttMs].filter((rtt) => rtt !== undefined);
  return known.length > 0 ? Math.max(1, Math.min(...known)) : config.firstRttMs;
}

/** Takes one step's bytes, answers and failures on this network into account. */
export function stepNetwork(
  before: NetworkTrack,
  observed: ObservedNetwork,
  steps: readonly FlightStep[],
  { nowMs, stepMs, config }: { nowMs: number; stepMs: number; config: ChunkConfig },
): NetworkTrack {
  let track = { ...before };
  for (const { responseMs } of steps)
    if (responseMs !== undefined) track = heard(track, responseMs);
  const rttMs = rttOf(track, observed, config);
  const bytes = steps.reduce((sum, step) => sum + step.bytes, 0);
  // A growing object comes at the rate of its encoder, which says nothing about the network.
  const growing = steps.filter(({ track: flight }) => flight.growing === true);
  const timed = steps.filter((step) => !growing.includes(step));
  const busyMs = Math.max(0, ...timed.map((step) => busyOf(step, before, rttMs, nowMs, stepMs)));
  const isIdle = timed.every(({ ended }) => ended !== undefined);
  if (growing.length === 0 || timed.length > 0) {
    track = measure(track, bytes, busyMs, isIdle, { rttMs, config });
  }
  for (const { ended, track: flight } of steps) {
    if (ended === 'done' || flight.receivedBytes >= config.minChunkBytes) {
      track.provenBytes = Math.max(track.provenBytes, flight.receivedBytes);
    }
  }
  track.trickle = stepTrickle(track, bytes, steps, nowMs);
  return judge(track, bytes, steps, { nowMs, rttMs, config });
}

/** An answer begins anew: its first packet may come alone. */
function stepTrickle(
  { trickle }: NetworkTrack,
  stepBytes: number,
  steps: readonly FlightStep[],
  nowMs: number,
): NetworkTrack['trickle'] {
  const bytes = trickle.bytes + stepBytes;
  const begins = steps.some((step) => step.bytes > 0 && step.bytes === step.track.receivedBytes);
  return bytes > PACKET_BYTES || begins ? { sinceMs: nowMs, bytes: 0 } : { ...trickle, bytes };
}

/**
 * How much of a step a request kept its network in use: from its first byte on, or from when that was due. The wait for
 * an answer is no measurement.
 */
function busyOf(
  { track: flight, endedAgoMs }: FlightStep,
  { responseMs }: NetworkTrack,
  rttMs: number,
  nowMs: number,
  stepMs: number,
): number {
  const dueMs = flight.receivedBytes > 0 ? rttMs : OVERDUE_SHARE * (responseMs ?? FIRST_ANSWER_MS);
  const fromMs = Math.max(nowMs - stepMs, flight.sentMs + dueMs);
  return nowMs - endedAgoMs - fromMs;
}

function heard(track: NetworkTrack, responseMs: number): NetworkTrack {
  const usual = track.responseMs ?? responseMs;
  return {
    ...track,
    rttMs: Math.min(track.rttMs ?? responseMs, responseMs),
    responseMs: usual + RESPONSE_GAIN * (responseMs - usual),
  };
}

function measure(
  track: NetworkTrack,
  bytes: number,
  busyMs: number,
  isIdle: boolean,
  { rttMs, config }: { rttMs: number; config: ChunkConfig },
): NetworkTrack {
  const bin = { bytes: track.bin.bytes + bytes, busyMs: track.bin.busyMs + busyMs };
  const isFull = bin.busyMs >= Math.max(BIN_MS, rttMs);
  if (!isFull && !isIdle) return { ...track, bin };
  const empty = { bytes: 0, busyMs: 0 };
  if (!isFull && bin.bytes < LEAST_BIN_BYTES) return { ...track, bin: empty };
  const overMs = Math.max(bin.busyMs, LEAST_BIN_MS);
  const rate = updateEwma(track.rate, (bin.bytes * 8000) / overMs, overMs, config.rateHalfLifeMs);
  return { ...track, rate, bin: empty };
}

function judge(
  track: NetworkTrack,
  bytes: number,
  steps: readonly FlightStep[],
  at: { nowMs: number; rttMs: number; config: ChunkConfig },
): NetworkTrack {
  const { nowMs, config } = at;
  const failed = steps.filter(({ ended }) => ended === 'failed').length;
  if (failed > 0) {
    const failures = track.failures + failed;
    const probeMs = nowMs + config.probeMs * Math.min(failures, LONGEST_BACKOFF);
    return { ...faded(track, nowMs), failures, probeMs };
  }
  const now = bytes > 0 ? alive(track, bytes, steps, at) : track;
  if (now.health === 'faded') return now;
  const waiting = steps.filter(({ ended }) => ended === undefined);
  const limitMs = silenceLimitMs(now, at);
  const isSilent = waiting.every(({ track: flight }) => {
    const answerMs = flight.receivedBytes > 0 ? 0 : at.rttMs;
    const sinceMs = Math.max(now.trickle.sinceMs, flight.sentMs + answerMs);
    return nowMs - sinceMs > limitMs + pauseMsOf(flight);
  });
  if (waiting.length === 0 || !isSilent) return now;
  // The first probe waits as well: a request in flight is one.
  return { ...faded(now, nowMs), probeMs: nowMs + config.probeMs };
}

/** The longest pause of a server that is still writing the object: a chunk of a low latency segment, and a late one. */
export const GROWING_PAUSE_MS = 1000;

export const pauseMsOf = ({ growing }: Pick<FlightTrack, 'growing'>): number =>
  growing === true ? GROWING_PAUSE_MS : 0;

/** The rate before is no evidence for the rate after. */
function faded(track: NetworkTrack, atMs: number): NetworkTrack {
  const bin = { bytes: 0, busyMs: 0 };
  const since = { atMs, bytes: 0 };
  return { ...track, health: 'faded', bin, provenBytes: 0, responseMs: null, faded: since };
}

/** Bytes came. A faded network is trusted again when those after its fade make a probe, or complete a later request. */
function alive(
  track: NetworkTrack,
  bytes: number,
  steps: readonly FlightStep[],
  { nowMs, config }: { nowMs: number; config: ChunkConfig },
): NetworkTrack {
  const carried = { ...track, byteMs: nowMs, failures: 0 };
  if (track.health !== 'faded') return { ...carried, health: 'healthy' };
  const since = { ...track.faded, bytes: track.faded.bytes + bytes };
  const isBack =
    since.bytes >= config.probeBytes ||
    steps.some(({ ended, track: flight }) => ended === 'done' && flight.sentMs >= since.atMs);
  return { ...carried, faded: since, health: isBack ? 'healthy' : 'faded' };
}

/** A network with requests in flight and no byte for longer than this has faded. */
export function silenceLimitMs(
  track: NetworkTrack,
  { rttMs, config }: { rttMs: number; config: ChunkConfig },
): number {
  const rateBps = ewmaMean(track.rate) ?? config.firstRateBps;
  const loadedMs = config.silentRoundTrips * Math.max(rttMs, track.responseMs ?? 2 * rttMs);
  const firstMs = track.responseMs === null ? FIRST_ANSWER_MS : 0;
  return Math.max(config.silentMs, loadedMs, firstMs, (SILENT_BITS * 1000) / Math.max(1, rateBps));
}
