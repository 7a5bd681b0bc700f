import type { MediaPlayerClass, Representation } from 'dashjs';
import type { Ladder, MediaType } from '../core';
import type { Brain } from './brain';
import type { Decision } from './dash-decisions';
import {
  QUALITY_RULE,
  STRONG_PRIORITY,
  finite,
  isMediaType,
  noOpinion,
  type RuleAnswer,
  type RuleContext,
} from './dash-types';
import type { RungOf } from './ladders';

export interface QualityRuleOptions {
  brain: Brain;
  /** False leaves the choice to dash.js's own rules, except among rungs that cannot be played. */
  useForecast: boolean;
  /** Representations that cannot be played. */
  unusable: () => ReadonlySet<string>;
  bufferMs: (mediaType: MediaType) => number;
  /** Tells the brain what may be chosen; the answer's rungs are those of the ladder that comes back. */
  offer: (mediaType: MediaType, representations: readonly Representation[]) => { ladder: Ladder };
  rungOf: RungOf;
  onDecision: (decision: Decision) => void;
}

/**
 * Adds our rule beside dash.js's own. It answers with strong priority, so it decides whenever it has an
 * opinion; without one the others decide as if it were not there. Call before `initialize()`.
 */
export function addQualityRule(player: MediaPlayerClass, options: QualityRuleOptions): void {
  const getSwitchRequest = (context: RuleContext): RuleAnswer => {
    const mediaType = context.getMediaType();
    const current = context.getRepresentation();
    if (!isMediaType(mediaType) || !current) return noOpinion(QUALITY_RULE);
    const all = context
      .getAbrController()
      .getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true);
    const unusable = options.unusable();
    const representations = all.filter((one) => !unusable.has(one.id));
    const { ladder } = options.offer(mediaType, representations);
    const bufferMs = options.bufferMs(mediaType);
    const result = options.useForecast ? options.brain.select(mediaType) : undefined;
    const target = ladder.rungs[result?.rung ?? -1];
    const representation = representations.find((one) => one.id === target?.representationId);
    if (!result || !target || !representation) {
      const stuck = representations.length > 0 && representations.length < all.length;
      return stuck ? byThroughput(context, mediaType, representations) : noOpinion(QUALITY_RULE);
    }
    // BOLA may have put a pause before the next request for a choice that is not taken.
    context.getScheduleController()?.setTimeToLoadDelay(0);
    options.onDecision({
      kind: 'select',
      rule: QUALITY_RULE,
      mediaType,
      fromRung: options.rungOf(mediaType, current.id),
      toRung: options.rungOf(mediaType, target.representationId),
      bufferMs,
      forecast: result.forecast,
      reason: result.reason,
    });
    return {
      representation,
      priority: STRONG_PRIORITY,
      reason: { message: result.reason },
      rule: QUALITY_RULE,
    };
  };
  // A plain factory instead of dash.js's FactoryMaker: that one keeps the first factory of a name for the
  // whole page, so a second player would be given the first one's rule.
  const factory = () => ({
    create: () => ({ getSwitchRequest, getClassName: () => QUALITY_RULE, reset: () => undefined }),
  });
  factory.__dashjs_factory_name = QUALITY_RULE;
  player.addABRCustomRule('qualitySwitchRules', QUALITY_RULE, factory);
}

/** dash.js's own rules would choose a rung that cannot be played again and again; this keeps them off it. */
function byThroughput(
  context: RuleContext,
  mediaType: MediaType,
  playable: readonly Representation[],
): RuleAnswer {
  const kbps = finite(context.getThroughputController().getSafeAverageThroughput(mediaType)) ?? 0;
  const rising = [...playable].sort((a, b) => a.bandwidth - b.bandwidth);
  const representation = rising.filter((one) => one.bandwidth <= kbps * 1000).at(-1) ?? rising[0];
  if (!representation) return noOpinion(QUALITY_RULE);
  const message = 'among the rungs that can be played';
  return { representation, priority: STRONG_PRIORITY, reason: { message }, rule: QUALITY_RULE };
}
