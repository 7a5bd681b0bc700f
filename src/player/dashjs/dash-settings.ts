import type { MediaPlayerSettingClass } from 'dashjs';
import {
  ABR_NAMES,
  isOwnRule,
  isReferenceRule,
  type AbrName,
  type DashjsRule,
  type ReferenceRuleName,
} from '../../core';

/** dash.js settings: any part of its `MediaPlayerSettingClass`. */
export type DashSettings = Pick<MediaPlayerSettingClass, 'debug' | 'errors' | 'streaming'>;

/**
 * The rules that choose the rung. `multipath` is this player's rule, with dash.js's dynamic choice where it
 * has no opinion. The others are dash.js's own; with `correction` they also receive the path forecast.
 */
export type AbrChoice = AbrName;

export const abrChoices: readonly AbrChoice[] = ABR_NAMES;

/** LoL+ sets the playback rate by latency and buffer together; its rule expects that. */
const LOLP_CATCHUP = 'liveCatchupModeLoLP';

/** Long enough for the repeated segment. At 100 ms a fast link fetched 16 more segments at the same rung. */
const ABANDON_LOAD_TIMEOUT_MS = 0;

/**
 * Interval in which dash.js asks its rules at the live edge until the next segment is there. Its default of 0 made
 * 2132 decisions in 40 s. A chunk of low latency lasts 250 ms and more.
 */
const LOW_LATENCY_TIMEOUT_MS = 50;

/** Settings of this player on top of dash.js's defaults. */
export function dashSettings(abr: AbrChoice): DashSettings {
  const dynamic = isOwnRule(abr) || abr === 'dynamic';
  return {
    streaming: {
      abr: {
        rules: {
          throughputRule: { active: dynamic || abr === 'throughput' },
          bolaRule: { active: dynamic || abr === 'bola' },
          insufficientBufferRule: { active: abr !== 'l2a' && abr !== 'lolp' },
          switchHistoryRule: { active: abr !== 'l2a' && abr !== 'lolp' },
          // This player's rule replaces it and also leaves rungs with a missing segment.
          abandonRequestsRule: { active: true },
          l2ARule: { active: abr === 'l2a' },
          loLPRule: { active: abr === 'lolp' },
        },
      },
      // Fetching buffered media again at a higher rung spends the capacity that the forecast promised to the
      // next segments. It drains a short buffer into a switch back.
      ...(isOwnRule(abr) ? { buffer: { fastSwitchEnabled: false } } : {}),
      ...(isOwnRule(abr) ? { scheduling: { lowLatencyTimeout: LOW_LATENCY_TIMEOUT_MS } } : {}),
      // After an abandoned segment dash.js ignores every step up for this long, by default ten seconds, in
      // which its estimate settles. The forecast does not need that time.
      ...(isOwnRule(abr) ? { abandonLoadTimeout: ABANDON_LOAD_TIMEOUT_MS } : {}),
      ...(abr === 'lolp' ? { liveCatchup: { mode: LOLP_CATCHUP } } : {}),
    },
  };
}

/**
 * dash.js's defaults apart from the choice of its rules: the baseline of comparisons. `l2a` and `lolp` run
 * alone, as dash.js's documentation requires, and `lolp` with its own catch-up mode. `dynamic` is dash.js's
 * default. Rules of the literature run alone, too; that of 2016 has dash.js's abandonment beside it, as it had then.
 */
export function vanillaSettings(abr: DashjsRule | ReferenceRuleName): DashSettings {
  const off = { active: false };
  switch (abr) {
    case 'dynamic':
      return {};
    case 'bola':
      return { streaming: { abr: { rules: { throughputRule: off } } } };
    case 'throughput':
      return { streaming: { abr: { rules: { bolaRule: off } } } };
  }
  return {
    streaming: {
      abr: {
        rules: {
          throughputRule: off,
          bolaRule: off,
          insufficientBufferRule: off,
          switchHistoryRule: off,
          abandonRequestsRule: { active: abr === 'throughput-2016' },
          l2ARule: { active: abr === 'l2a' },
          loLPRule: { active: abr === 'lolp' },
        },
      },
      // They plan with each segment once, so none is fetched again at a higher rung.
      ...(isReferenceRule(abr) ? { buffer: { fastSwitchEnabled: false } } : {}),
      ...(abr === 'lolp' ? { liveCatchup: { mode: LOLP_CATCHUP } } : {}),
    },
  };
}

/** Makes dash.js keep so much media ahead at every rung. @param bufferTargetMs 1000 to 600000 */
export function bufferTarget(bufferTargetMs: number): DashSettings {
  const seconds = bufferTargetMs / 1000;
  return {
    streaming: {
      buffer: {
        bufferTimeDefault: seconds,
        bufferTimeAtTopQuality: seconds,
        bufferTimeAtTopQualityLongForm: seconds,
      },
    },
  };
}
