import type { SettingLimits } from '../core';
/**
 * Settings of every chunk scheduler. `chunkMs` is measured: 250 ms cost 4 % of the goodput of two similar paths
 * (README). Probes are measured: without them the training walks lose 0.9 QoE a segment. The other values without a
 * source are chosen; no measurement.
 */
export interface ChunkConfig {
  /**
   * Time in which a network delivers a chunk. Example: 350 ms. Shorter chunks cost requests; longer ones are late
   * for longer when a network fades.
   */
  chunkMs: number;
  /** Least length of a chunk in round trips; with less, two connections cannot keep the network busy. Example: 1.5. */
  chunkRoundTrips: number;
  /** Least size of a chunk, except for a shorter rest. Example: 16 kB, a first window of TCP (RFC 6928). */
  minChunkBytes: number;
  /** Largest size of a chunk; bounds the cost of a failure. Example: 4 MB. */
  maxChunkBytes: number;
  /** Size of a network's first chunk; later ones grow at most twofold. Example: 32 kB. */
  firstChunkBytes: number;
  /**
   * Requests in flight a network, and one more on long paths. Example: 2, so that the next one is sent before the
   * first ends.
   */
  requestsPerNetwork: number;
  /** The next chunk is requested this time plus this many round trips before the present one ends. Example: 60 ms. */
  leadMs: number;
  leadRoundTrips: number;
  /** Assumed rate of a network without measurements. Example: 2 Mbit/s. */
  firstRateBps: number;
  /** Assumed round trip before the first measurement. Example: 100 ms. */
  firstRttMs: number;
  /** Time in use after which a rate weighs half. Example: 500 ms. */
  rateHalfLifeMs: number;
  /**
   * A network has faded after this time without a byte, if that is also `silentRoundTrips` loaded round trips.
   * Example: 200 ms.
   */
  silentMs: number;
  silentRoundTrips: number;
  /** Interval of probes over a faded network. Example: 1000 ms. */
  probeMs: number;
  probeBytes: number;
  /**
   * A request without a byte for this time is cancelled, whatever the scheduler. Example: 10 s, for a server that
   * fetches the segment itself.
   */
  stuckMs: number;
}

export const defaultChunkConfig: ChunkConfig = {
  chunkMs: 350,
  chunkRoundTrips: 1.5,
  minChunkBytes: 16_000,
  maxChunkBytes: 4_000_000,
  firstChunkBytes: 32_000,
  requestsPerNetwork: 2,
  leadMs: 60,
  leadRoundTrips: 1,
  firstRateBps: 2e6,
  firstRttMs: 100,
  rateHalfLifeMs: 500,
  silentMs: 200,
  silentRoundTrips: 1.6,
  probeMs: 1000,
  probeBytes: 16_000,
  stuckMs: 10_000,
};

export const chunkLimits: SettingLimits<ChunkConfig> = {
  chunkMs: [10, 10_000],
  chunkRoundTrips: [0, 100],
  minChunkBytes: [1, 1e9],
  maxChunkBytes: [1, 1e9],
  firstChunkBytes: [1, 1e9],
  requestsPerNetwork: [1, 100],
  leadMs: [0, 10_000],
  leadRoundTrips: [0, 100],
  firstRateBps: [1, 1e12],
  firstRttMs: [1, 60_000],
  rateHalfLifeMs: [1, 1e6],
  silentMs: [1, 60_000],
  silentRoundTrips: [0, 100],
  probeMs: [50, 60_000],
  probeBytes: [1, 1e9],
  stuckMs: [100, 600_000],
};
