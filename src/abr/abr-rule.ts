import type { Forecast, MediaType } from '../core';
import type { AbrObservation } from './observation';

export interface RuleChoice {
  /** Index in the ladder; one that is not in it is moved to the nearest. */
  rung: number;
  /** One line that a viewer understands. */
  reason: string;
}

/** A lost path that returned before: its rate, and the chance that it carries again in the next segment. */
export interface Return {
  rateBps: number;
  chance: number;
}

/** The certainty of a forecast, and of the size of a segment. */
export interface Uncertainty {
  /** Standard deviation of the logarithm of the rate over the next segment, for rates below the forecast. */
  spread: number;
  /** The same for rates above it: larger where the forecast is a bound from below. */
  rise: number;
  /** Standard deviation of the change of the rate's logarithm from one segment to the next. */
  step: number;
  /** Chance that the best path fails during the next segment, and during a later one. */
  failureNow: number;
  failureLater: number;
  /** Share of the rate that remains then, and the time until another path carries what is missing, ms. */
  othersShare: number;
  failureMs: number;
  /** Chance that no path delivers for `outageMs` before a segment comes at its usual rate. */
  outage: number;
  outageMs: number;
  /** A lost path that may be used again. */
  back?: Return | undefined;
  /** Standard deviation of the logarithm of a segment's size. It counts where the size is unknown. */
  sizeSpread: number;
}

/** Chooses the rung of the next segment. Pure: the same arguments give the same rung. */
export interface AbrRule {
  /** The name that a user writes after `--abr` and in a scenario. */
  readonly name: string;
  /** One line for a list to choose from. */
  readonly summary: string;
  /** Undefined where the stream has no media of this type. */
  choose(
    observation: AbrObservation,
    mediaType: MediaType,
    forecast: Forecast,
    uncertainty: Uncertainty,
  ): RuleChoice | undefined;
}

/** Makes a rule whose rungs are always in the ladder. */
export function defineAbrRule(rule: AbrRule): AbrRule {
  return {
    ...rule,
    choose(observation, mediaType, forecast, uncertainty) {
      const ladder = observation.ladders.find((one) => one.mediaType === mediaType);
      const highest = (ladder?.rungs.length ?? 0) - 1;
      if (highest < 0) return undefined;
      const choice = rule.choose(observation, mediaType, forecast, uncertainty);
      if (!choice) return undefined;
      const rung = Number.isFinite(choice.rung) ? Math.round(choice.rung) : 0;
      return { ...choice, rung: Math.min(highest, Math.max(0, rung)) };
    },
  };
}
