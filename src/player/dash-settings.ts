import type { MediaPlayerSettingClass } from 'dashjs';

/** dash.js settings: any part of its `MediaPlayerSettingClass`. */
export type DashSettings = Pick<MediaPlayerSettingClass, 'debug' | 'errors' | 'streaming'>;

/**
 * Which rules choose the rung. `multipath`: ours, with dash.js's dynamic choice where it has no opinion.
 * The others are dash.js's own; with `correction` they too are fed by the path forecast.
 */
export type AbrChoice = 'multipath' | 'dynamic' | 'bola' | 'throughput' | 'l2a' | 'lolp';

export const abrChoices: readonly AbrChoice[] = [
  'multipath',
  'dynamic',
  'bola',
  'throughput',
  'l2a',
  'lolp',
];

/**
 * Tries for one media segment. A dead network must not end the session: with 1 s between tries (and up
 * to 20 s until each fails) this outlasts half a minute of refused connections and far longer silence.
 */
const SEGMENT_TRIES = 30;

const ABANDON_LOAD_TIMEOUT_MS = 100;

/** Settings this player needs on top of dash.js's defaults. */
export function dashSettings(abr: AbrChoice): DashSettings {
  const dynamic = abr === 'multipath' || abr === 'dynamic';
  return {
    streaming: {
      abr: {
        rules: {
          throughputRule: { active: dynamic || abr === 'throughput' },
          bolaRule: { active: dynamic || abr === 'bola' },
          insufficientBufferRule: { active: abr !== 'l2a' && abr !== 'lolp' },
          switchHistoryRule: { active: abr !== 'l2a' && abr !== 'lolp' },
          // Ours stands in its place and also leaves rungs whose segment is missing.
          abandonRequestsRule: { active: true },
          l2ARule: { active: abr === 'l2a' },
          loLPRule: { active: abr === 'lolp' },
        },
      },
      // Fetching what is already buffered once more, at a higher rung, spends exactly the capacity the
      // forecast has promised to the next segments, and drains a short buffer into a switch back.
      ...(abr === 'multipath' ? { buffer: { fastSwitchEnabled: false } } : {}),
      // For this long after giving a segment up dash.js ignores every step up, ten seconds by default: its
      // estimate needs them to settle. The forecast does not.
      ...(abr === 'multipath' ? { abandonLoadTimeout: ABANDON_LOAD_TIMEOUT_MS } : {}),
      retryAttempts: { MediaSegment: SEGMENT_TRIES },
    },
  };
}

/**
 * dash.js as it comes but for the choice of its rules: what others are compared with. `l2a` and `lolp` stand
 * alone, as dash.js's documentation of them asks; `dynamic` is what dash.js does untold.
 */
export function vanillaSettings(abr: Exclude<AbrChoice, 'multipath'>): DashSettings {
  const off = { active: false };
  switch (abr) {
    case 'dynamic':
      return {};
    case 'bola':
      return { streaming: { abr: { rules: { throughputRule: off } } } };
    case 'throughput':
      return { streaming: { abr: { rules: { bolaRule: off } } } };
    case 'l2a':
    case 'lolp':
      return {
        streaming: {
          abr: {
            rules: {
              throughputRule: off,
              bolaRule: off,
              insufficientBufferRule: off,
              switchHistoryRule: off,
              abandonRequestsRule: off,
              [abr === 'l2a' ? 'l2ARule' : 'loLPRule']: { active: true },
            },
          },
        },
      };
  }
}

/** Has dash.js keep so much media ahead, whatever the rung. @param bufferTargetMs 1000 to 600000 */
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
