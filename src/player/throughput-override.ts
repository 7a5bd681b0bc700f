import type { MediaPlayerClass } from 'dashjs';
import type { Brain } from './brain';
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

/** dash.js takes kbit/s. No path at all must read as "next to nothing": 0 would mean "unknown" to some rules. */
const toKbps = (rateBps: number): number => Math.max(1, Math.round(rateBps / 1000));

/**
 * Feeds dash.js's own rules with the path forecast in place of its averages over past requests, through
 * `extend` with the override flag (the parent keeps everything else). Where the brain has no trusted
 * forecast the parent answers as ever. Call before `initialize()`.
 */
export function overrideThroughput(player: MediaPlayerClass, brain: Brain): void {
  function ThroughputOverride(this: ExtensionThis<ThroughputController>): ThroughputController {
    // dash.js puts ours into the parent object itself, so its own functions are taken out first.
    const { getAverageThroughput, getSafeAverageThroughput } = this.parent;
    return {
      getAverageThroughput: (mediaType, calculationMode, sampleSize) => {
        const forecast = brain.trusted();
        return forecast
          ? toKbps(forecast.rateBps)
          : getAverageThroughput(mediaType, calculationMode, sampleSize);
      },
      getSafeAverageThroughput: (mediaType, calculationMode, sampleSize) => {
        const forecast = brain.trusted();
        return forecast
          ? toKbps(forecast.safeRateBps)
          : getSafeAverageThroughput(mediaType, calculationMode, sampleSize);
      },
    };
  }
  player.extend('ThroughputController', ThroughputOverride, true);
}
