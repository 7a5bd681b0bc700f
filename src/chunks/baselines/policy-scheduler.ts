import { SAMPLE_PERIOD_MS } from '../../core';
import { createPolicy, type PathObservation } from '../../policy';
import type { ChunkConfig } from '../config';
import { pickScheduler, withRoom } from '../pick-scheduler';
import type { SchedulerState } from '../define-scheduler';
import type { ChunkRuleInput, SeenNetwork } from '../seen';
import type { ChunkScheduler } from '../types';

/** Interval between calls of the policy. Same as over MPTCP, because its settings count samples. */
const PERIOD_MS = SAMPLE_PERIOD_MS;

export interface PolicyMemory {
  policy: object;
  /** Networks that the policy wants active. */
  active: readonly string[];
  reason: string;
  askedMs: number;
  /** Counters since the last call of the policy: bytes of each network, and whether it had a request in flight. */
  carried: readonly { networkId: string; bytes: number; wasUsed: boolean }[];
}

/**
 * Lets a path policy choose the networks, and gives chunks to the one with the shortest round trip first. So the
 * papers' policies run over byte ranges too.
 */
export function policyScheduler(
  name: string,
  policyName: string,
): ChunkScheduler<SchedulerState<PolicyMemory, ChunkConfig>, ChunkConfig> {
  const policy = createPolicy(policyName);
  return pickScheduler<PolicyMemory>({
    name,
    summary: policy.summary,
    start: () => ({
      policy: policy.initial(),
      active: [],
      reason: '',
      askedMs: -PERIOD_MS,
      carried: [],
    }),
    prepare: (before, seen) => {
      const unknown = seen.networks.filter(({ track }) => track.health === 'untried');
      if (unknown.length > 0) {
        const allowed = seen.networks.map(({ networkId }) => networkId);
        return { memory: before, allowed, reason: 'a first chunk each, to know the round trips' };
      }
      const carried = seen.networks.map((network) => carriedBy(network, before));
      const overMs = seen.nowMs - before.askedMs;
      const known = before.active.filter((id) => carried.some(({ networkId }) => networkId === id));
      if (overMs < PERIOD_MS && known.length > 0) {
        return { memory: { ...before, carried }, allowed: known, reason: before.reason };
      }
      const observation = observe(seen, before.active, carried, overMs);
      const { state, desired, reason } = policy.decide(before.policy, observation);
      const active = [...desired].filter(([, wish]) => wish === 'active').map(([id]) => id);
      const memory = { policy: state, active, reason, askedMs: seen.nowMs, carried: [] };
      return { memory, allowed: active, reason };
    },
    pick: (memory, able) => ({
      memory,
      worker: able.filter(withRoom).sort((a, b) => a.rttMs - b.rttMs)[0],
    }),
  });
}

function usualRttMs({ track, rttMs }: SeenNetwork): number | undefined {
  return track.responseMs ?? (track.rttMs === null ? undefined : rttMs);
}

function carriedBy(
  { networkId, stepBytes, flights }: SeenNetwork,
  { carried }: PolicyMemory,
): PolicyMemory['carried'][number] {
  const before = carried.find((one) => one.networkId === networkId);
  return {
    networkId,
    bytes: (before?.bytes ?? 0) + stepBytes,
    wasUsed: (before?.wasUsed ?? false) || stepBytes > 0 || flights.length > 0,
  };
}

function observe(
  { networks, nowMs, objects }: ChunkRuleInput<ChunkConfig>,
  active: readonly string[],
  carried: PolicyMemory['carried'],
  overMs: number,
): PathObservation {
  return {
    monotonicMs: nowMs,
    paths: networks.map((network) => {
      const { networkId, track, rateBps, costly, budgetBytes } = network;
      const own = carried.find((one) => one.networkId === networkId);
      const isMeasured = track.rate.weight > 0;
      return {
        pathId: networkId,
        state: active.length === 0 || active.includes(networkId) ? 'active' : 'backup',
        rateBps: isMeasured ? rateBps : 0,
        safeRateBps: isMeasured ? rateBps : 0,
        confidence: track.rate.weight,
        ...(own?.wasUsed === true
          ? { throughputBps: (own.bytes * 8000) / Math.max(1, overMs) }
          : {}),
        rcvRttMs: usualRttMs(network),
        metered: costly,
        budgetBytes,
        totalBytes: 0,
        preferred: false,
      };
    }),
    requests: objects.map(({ neededAtMs }) => ({ deadlineMs: neededAtMs })),
    outOfOrderBytes: 0,
  };
}
