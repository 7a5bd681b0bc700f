import {
  emptyEwma,
  ENCODER_PAUSE_MS,
  ewmaMean,
  updateEwma,
  type Ewma,
  type NetworkHealth,
} from '../core';
import type { ChunkConfig } from './config';
import type { FlightStep, FlightTrack } from './flight-track';
import type { ObservedNetwork } from './types';

/** The record of a network, in times of the scheduler's own clock. */
export interface NetworkTrack {
  networkId: string;
  health: Exclude<NetworkHealth, 'out'>;
  /** Goodput while it was in use. */
  rate: Ewma;
  /** Bytes and time in use that `rate` does not contain yet. */
  bin: { bytes: number; busyMs: number };
  /** Shortest answer. */
  rttMs: number | null;
  /** Usual recent delay of an answer, queues included. */
  responseMs: number | null;
  /** Largest chunk delivered since the network last faded. */
  provenBytes: number;
  /** Time of the latest byte. */
  byteMs: number;
  /** Time of the last delivery of more than a packet, and the bytes since then. */
  trickle: { sinceMs: number; bytes: number };
  /** Time of the last fade, and the bytes since then. `unanswered`: no request in flight had a byte. */
  faded: { atMs: number; bytes: number; unanswered: boolean };
  /** Time of the next permitted probe; meaningful while the network is faded. */
  probeMs: number;
  /** Requests that failed since the last byte. */
  failures: number;
}

/**
 * Length of a bin of bytes: this time in use and at least a round trip. Shorter bins measure the clustering of
 * packets. Chosen; no measurement.
 */
const BIN_MS = 100;
/** Least bytes and time before an idle period that count as a measurement. Chosen; no measurement. */
const MIN_BIN_BYTES = 8000;
const MIN_BIN_MS = 20;
/** Weight of a new answer in the usual delay: 1/8, as in TCP's srtt (RFC 6298). */
const RESPONSE_GAIN = 0.125;
/**
 * Bytes of one packet. No more than this within the time of `silenceLimitMs` is a trickle: at its rate the network
 * would deliver four packets at least.
 */
const PACKET_BYTES = 1500;
/** Packets that fit into the permitted silence of a slow network. Chosen; no measurement. */
const SILENT_BITS = 4 * PACKET_BYTES * 8;
/**
 * A silent network's rate is halved every 500 ms, and without a bound its limit would grow as fast as its silence. Over 50 kbit/s
 * they take one second.
 */
const LEAST_BPS = 50_000;
/** An answer that takes this multiple of the usual delay counts against the rate. Chosen; no measurement. */
const OVERDUE_SHARE = 2;
/** Time limit of a network's first answer, which includes name look-up and handshakes. Chosen; no measurement. */
export const FIRST_ANSWER_MS = 1000;
/** Round trips of an idle network that a request takes behind a full queue, until one is measured. Chosen; no measurement. */
const QUEUED_ROUND_TRIPS = 2;
/** Largest multiple of `probeMs` between probes of a network whose requests fail. Chosen; no measurement. */
const MAX_BACKOFF = 8;

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
    faded: { atMs: -1, bytes: 0, unanswered: false },
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

/** The round trip: as observed, else the shortest answer. */
export function rttOf(
  track: NetworkTrack,
  observed: Pick<ObservedNetwork, 'rttMs'>,
  config: ChunkConfig,
): number {
  return Math.max(1, observed.rttMs ?? track.rttMs ?? config.firstRttMs);
}

/** Adds one step's bytes, answers and failures on this network. */
export function stepNetwork(
  before: NetworkTrack,
  observed: ObservedNetwork,
  steps: readonly FlightStep[],
  { nowMs, stepMs, config }: { nowMs: number; stepMs: number; config: ChunkConfig },
): NetworkTrack {
  let track = { ...before };
  for (const { responseMs } of steps)
    if (responseMs !== undefined) track = answered(track, responseMs);
  const rttMs = rttOf(track, observed, config);
  const bytes = steps.reduce((sum, step) => sum + step.bytes, 0);
  // A growing object arrives at the rate of its encoder, which does not measure the network.
  const growing = steps.filter(({ track: flight }) => flight.growing === true);
  const timed = steps.filter((step) => !growing.includes(step) && step.track.held !== true);
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

/** An answer starts a new count: its first packet may come alone. */
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
 * Time within a step in which a request kept its network in use: from its first byte, or from the time when that
 * was due. The wait for an answer measures nothing. That for a network's first one has handshakes in it: with a small
 * answer it would pass for a slow network.
 */
function busyOf(
  { track: flight, endedAgoMs, responseMs: ownMs }: FlightStep,
  { responseMs, rttMs: answeredMs }: NetworkTrack,
  rttMs: number,
  nowMs: number,
  stepMs: number,
): number {
  const arrivedMs = answeredMs === null ? (ownMs ?? rttMs) : rttMs;
  const dueMs =
    flight.receivedBytes > 0 ? arrivedMs : OVERDUE_SHARE * (responseMs ?? FIRST_ANSWER_MS);
  const fromMs = Math.max(nowMs - stepMs, flight.sentMs + dueMs);
  return nowMs - endedAgoMs - fromMs;
}

function answered(track: NetworkTrack, responseMs: number): NetworkTrack {
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
  if (!isFull && bin.bytes < MIN_BIN_BYTES) return { ...track, bin: empty };
  const overMs = Math.max(bin.busyMs, MIN_BIN_MS);
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
  // One event may end every request.
  if (steps.some(({ ended }) => ended === 'failed')) {
    const failures = track.failures + 1;
    const probeMs = nowMs + config.probeMs * Math.min(failures, MAX_BACKOFF);
    return { ...faded(track, nowMs, false), failures, probeMs };
  }
  const now = bytes > 0 ? alive(track, bytes, steps, at) : track;
  if (now.health === 'faded') return now;
  const limitMs = silenceLimitMs(now, at);
  const waiting = steps.filter(
    ({ ended, track: flight }) =>
      ended === undefined &&
      flight.held !== true &&
      (flight.receivedBytes > 0 || !hasOvertaken(now, flight.sentMs, at)),
  );
  const isSilent = waiting.every(({ track: flight }) => {
    const answerMs = flight.receivedBytes > 0 ? 0 : at.rttMs;
    const sinceMs = Math.max(now.trickle.sinceMs, flight.sentMs + answerMs);
    return nowMs - sinceMs > limitMs + pauseMsOf(flight);
  });
  if (waiting.length === 0 || !isSilent) return now;
  // The first probe waits as well, because requests are still in flight.
  const isUnanswered = waiting.every(({ track: flight }) => flight.receivedBytes === 0);
  return { ...faded(now, nowMs, isUnanswered), probeMs: nowMs + config.probeMs };
}

/** The network has delivered bytes long after a request: if that has no answer, it waits for its server. */
export function hasOvertaken(
  network: NetworkTrack,
  sentMs: number,
  at: { rttMs: number; config: ChunkConfig },
): boolean {
  return network.byteMs > sentMs + at.rttMs + silenceLimitMs(network, at);
}

export const pauseMsOf = ({ growing }: Pick<FlightTrack, 'growing'>): number =>
  growing === true ? ENCODER_PAUSE_MS : 0;

/** The rate before the fade is no evidence for the rate after it. */
function faded(track: NetworkTrack, atMs: number, unanswered: boolean): NetworkTrack {
  const bin = { bytes: 0, busyMs: 0 };
  const since = { atMs, bytes: 0, unanswered };
  return { ...track, health: 'faded', bin, provenBytes: 0, responseMs: null, faded: since };
}

/**
 * Bytes arrived. A faded network is healthy again when its bytes since the fade make up a probe, or a whole answer.
 */
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
    steps.some(
      ({ ended, track: flight }) =>
        ended === 'done' && (flight.sentMs >= since.atMs || flight.receivedBytes <= since.bytes),
    );
  return { ...carried, faded: since, health: isBack ? 'healthy' : 'faded' };
}

/** Silence after which a network with requests in flight has faded. */
export function silenceLimitMs(
  track: NetworkTrack,
  { rttMs, config }: { rttMs: number; config: ChunkConfig },
): number {
  const rateBps = ewmaMean(track.rate) ?? config.firstRateBps;
  const loadedMs =
    config.silentRoundTrips * Math.max(rttMs, track.responseMs ?? QUEUED_ROUND_TRIPS * rttMs);
  const firstMs = track.responseMs === null ? FIRST_ANSWER_MS : 0;
  return Math.max(
    config.silentMs,
    loadedMs,
    firstMs,
    (SILENT_BITS * 1000) / Math.max(LEAST_BPS, rateBps),
  );
}
