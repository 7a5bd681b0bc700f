import type { MediaPlayerClass } from 'dashjs';
import type { Forecast } from '../../core';
import type { Brain } from '../session/brain';
import type { ExtensionThis } from './dash-types';

type Throughput = (
  mediaType: string,
  calculationMode?: string | null,
  sampleSize?: number,
) => number;

interface ThroughputController {
  getAverageThroughput: Throughput;
  getSafeAverageThroughput: Throughput;
}

/**
 * dash.js takes kbit/s. Without any path the value must mean "next to nothing"; 0 would mean "unknown" to
 * some rules.
 */
const toKbps = (rateBps: number): number => Math.max(1, Math.round(rateBps / 1000));

/**
 * Feeds dash.js's own rules with the path forecast in place of its averages over past requests. It uses
 * `extend` with the override flag (the parent keeps everything else). Where the brain has no trusted forecast,
 * the parent answers. The parent takes a response faster than its `cacheLoadThresholds` for a cached one, so it
 * has no average on a fast network. There the brain's forecast from requests answers. Call before `initialize()`.
 */
export function overrideThroughput(player: MediaPlayerClass, brain: Brain): void {
  function ThroughputOverride(this: ExtensionThis<ThroughputController>): ThroughputController {
    // dash.js writes the overrides into the parent object itself, so its own functions are read first.
    const { getAverageThroughput, getSafeAverageThroughput } = this.parent;
    const override =
      (parent: Throughput, rateOf: (forecast: Forecast) => number): Throughput =>
      (...query) => {
        const trusted = brain.trusted();
        if (trusted) return toKbps(rateOf(trusted));
        const average = parent(...query);
        const measured = Number.isFinite(average) ? undefined : brain.fromRequests();
        return measured ? toKbps(rateOf(measured)) : average;
      };
    return {
      getAverageThroughput: override(getAverageThroughput, (forecast) => forecast.rateBps),
      getSafeAverageThroughput: override(getSafeAverageThroughput, (one) => one.safeRateBps),
    };
  }
  player.extend('ThroughputController', ThroughputOverride, true);
}
