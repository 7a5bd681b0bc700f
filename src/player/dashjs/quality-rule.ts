import type { MediaPlayerClass, Representation } from 'dashjs';
import type { Forecast, Ladder, MediaType } from '../../core';
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
  /**
   * The rung of the ladder offered last; undefined leaves the choice to dash.js's own rules, except for
   * unplayable rungs.
   */
  select: (
    mediaType: MediaType,
  ) => { rung: number; reason: string; forecast: Forecast } | undefined;
  /** True if a representation is unplayable. */
  unusable: (mediaType: MediaType, representation: Representation) => boolean;
  bufferMs: (mediaType: MediaType) => number;
  /** Gives the brain the current choice; rungs in the answer refer to the returned ladder. */
  offer: (mediaType: MediaType, representations: readonly Representation[]) => { ladder: Ladder };
  rungOf: RungOf;
  onDecision: (decision: Decision) => void;
}

/**
 * Adds this player's rule beside dash.js's own. It answers with strong priority, so it decides whenever it
 * has an opinion; without one the other rules decide alone. Call before `initialize()`.
 */
export function addQualityRule(player: MediaPlayerClass, options: QualityRuleOptions): void {
  const getSwitchRequest = (context: RuleContext): RuleAnswer => {
    const mediaType = context.getMediaType();
    const current = context.getRepresentation();
    if (!isMediaType(mediaType) || !current) return noOpinion(QUALITY_RULE);
    const all = context
      .getAbrController()
      .getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true);
    const representations = all.filter((one) => !options.unusable(mediaType, one));
    const { ladder } = options.offer(mediaType, representations);
    const bufferMs = options.bufferMs(mediaType);
    const result = options.select(mediaType);
    const target = ladder.rungs[result?.rung ?? -1];
    const representation = representations.find((one) => one.id === target?.representationId);
    if (!result || !target || !representation) {
      const stuck = representations.length > 0 && representations.length < all.length;
      return stuck ? byThroughput(context, mediaType, representations) : noOpinion(QUALITY_RULE);
    }
    // BOLA may have scheduled a pause before the next request, for a choice that is discarded.
    context.getScheduleController()?.setTimeToLoadDelay(0);
    options.onDecision({
      kind: 'select',
      rule: QUALITY_RULE,
      mediaType,
      fromRung: options.rungOf(mediaType, current),
      toRung: options.rungOf(mediaType, representation),
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
  // A plain factory instead of dash.js's FactoryMaker, which keeps the first factory of a name for the whole
  // page. A second player would get the rule of the first one.
  const factory = () => ({
    create: () => ({ getSwitchRequest, getClassName: () => QUALITY_RULE, reset: () => undefined }),
  });
  factory.__dashjs_factory_name = QUALITY_RULE;
  player.addABRCustomRule('qualitySwitchRules', QUALITY_RULE, factory);
}

/** Keeps dash.js's own rules off an unplayable rung, which they would choose repeatedly. */
function byThroughput(
  context: RuleContext,
  mediaType: MediaType,
  playable: readonly Representation[],
): RuleAnswer {
  const kbps = finite(context.getThroughputController().getSafeAverageThroughput(mediaType)) ?? 0;
  const rising = [...playable].sort((a, b) => a.bandwidth - b.bandwidth);
  const representation = rising.filter((one) => one.bandwidth <= kbps * 1000).at(-1) ?? rising[0];
  if (!representation) return noOpinion(QUALITY_RULE);
  const message = 'among the playable rungs';
  return { representation, priority: STRONG_PRIORITY, reason: { message }, rule: QUALITY_RULE };
}
