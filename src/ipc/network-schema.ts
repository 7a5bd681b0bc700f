import * as v from 'valibot';
import type {
  CarriageReport,
  CarriedChunk,
  PathEvent,
  SampleBatch,
  TransportStatus,
} from '../core';
import type { PathControlReport } from '../session-log';
import { nonNegative, text } from './fields';
import { limits } from './limits';

const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535));
const socketAddress = v.strictObject({ address: text, port });

const subflowSample = v.strictObject({
  subflowId: text,
  pathId: text,
  interfaceName: v.optional(text),
  local: socketAddress,
  remote: socketAddress,
  state: v.picklist(['active', 'backup', 'connecting', 'closed']),
  bytesReceived: nonNegative,
  rcvRttUs: v.optional(nonNegative),
  rttUs: v.optional(nonNegative),
  minRttUs: v.optional(nonNegative),
  lastDataRecvMs: v.optional(nonNegative),
  awaitedMs: v.optional(nonNegative),
  outOfOrderSegments: v.optional(nonNegative),
  retransSegments: v.optional(nonNegative),
});

const connectionSample = v.strictObject({
  connectionId: text,
  kind: v.picklist(['mptcp', 'fallback', 'tcp', 'ranges']),
  local: socketAddress,
  remote: socketAddress,
  inOrderBytes: nonNegative,
  subflows: v.pipe(v.array(subflowSample), v.maxLength(limits.subflows)),
});

export const sampleBatchSchema: v.GenericSchema<unknown, SampleBatch> = v.strictObject({
  monotonicMs: nonNegative,
  connections: v.pipe(v.array(connectionSample), v.maxLength(limits.connections)),
  lostSamples: nonNegative,
});

export const pathEventSchema: v.GenericSchema<unknown, PathEvent> = v.strictObject({
  monotonicMs: nonNegative,
  kind: v.picklist([
    'subflow-established',
    'subflow-closed',
    'subflow-priority',
    'interface-up',
    'interface-down',
    'address-added',
    'address-removed',
    'route-changed',
  ]),
  pathId: v.optional(text),
  interfaceName: v.optional(text),
  address: v.optional(text),
  connectionId: v.optional(text),
  subflowId: v.optional(text),
  backup: v.optional(v.boolean()),
  connectionEnded: v.optional(v.boolean()),
  detail: v.optional(text),
});

export const transportStatusSchema: v.GenericSchema<unknown, TransportStatus> = v.strictObject({
  state: v.picklist([
    'multipath',
    'single-subflow',
    'fallback',
    'plain-tcp',
    'disabled',
    'unobservable',
    'idle',
    'no-feed',
  ]),
  reason: text,
});

const pathId = v.pipe(text, v.minLength(1));
const wantedState = v.picklist(['active', 'backup', 'closed']);
export const sequenceSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Requested states, one per path. */
export const wantedPathsSchema = v.pipe(
  v.array(v.strictObject({ pathId, state: wantedState })),
  v.maxLength(limits.paths),
);

export const carriageKindSchema = v.picklist(['mptcp', 'ranges', 'single']);

export const carriageReportSchema: v.GenericSchema<unknown, CarriageReport> = v.strictObject({
  carriage: carriageKindSchema,
  reason: text,
  isWhole: v.optional(v.boolean()),
  networks: v.pipe(
    v.array(
      v.strictObject({
        networkId: pathId,
        health: v.picklist(['untried', 'healthy', 'faded', 'out']),
        rateBps: nonNegative,
        rttMs: nonNegative,
        receivedBytes: nonNegative,
        duplicateBytes: nonNegative,
        blockedBytes: nonNegative,
        unreadBytes: nonNegative,
        requests: nonNegative,
        failed: nonNegative,
        cancelled: nonNegative,
        outReason: v.optional(text),
      }),
    ),
    v.maxLength(limits.paths),
  ),
  inOrderBytes: nonNegative,
});

export const carriedChunkSchema: v.GenericSchema<unknown, CarriedChunk> = v.strictObject({
  chunkId: nonNegative,
  objectId: text,
  url: v.pipe(v.string(), v.maxLength(limits.urlChars)),
  networkId: pathId,
  start: nonNegative,
  end: v.nullable(nonNegative),
  sentMs: v.number(),
  firstByteMs: v.optional(v.number()),
  endMs: v.number(),
  receivedBytes: nonNegative,
  duplicateBytes: nonNegative,
  purpose: v.picklist(['media', 'duplicate', 'probe']),
  outcome: v.picklist(['done', 'failed', 'cancelled']),
  reason: text,
  failureReason: v.optional(text),
});

export const pathControlReportSchema: v.GenericSchema<unknown, PathControlReport> = v.strictObject({
  capability: v.variant('available', [
    v.strictObject({
      available: v.literal(true),
      through: v.picklist(['direct', 'helper', 'fake']),
      scope: v.optional(v.literal('connections')),
    }),
    v.strictObject({ available: v.literal(false), reason: text }),
  ]),
  paths: v.pipe(
    v.array(
      v.strictObject({
        pathId,
        interfaceName: v.optional(text),
        state: wantedState,
        origin: v.picklist(['own', 'foreign']),
        changed: v.boolean(),
      }),
    ),
    v.maxLength(limits.paths),
  ),
  sequence: v.optional(sequenceSchema),
  detail: v.optional(text),
  refusals: v.pipe(
    v.array(v.strictObject({ pathId, state: wantedState, code: text, reason: text })),
    v.maxLength(limits.paths),
  ),
});
