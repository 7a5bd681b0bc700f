import type { MediaPlayerClass } from 'dashjs';
import type { MediaType } from '../core';
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
import { toLadder } from './ladders';

export interface QualityRuleOptions {
  brain: Brain;
  bufferMs: (mediaType: MediaType) => number;
  /** What the other media type needs at the same time. */
  reservedBps: (mediaType: MediaType) => number;
  /** False until the first segment of this type was asked for. */
  started: (mediaType: MediaType) => boolean;
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
    const representations = context
      .getAbrController()
      .getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true);
    const ladder = toLadder(mediaType, representations);
    const fromRung = ladder.rungs.findIndex((rung) => rung.representationId === current.id);
    const bufferMs = options.bufferMs(mediaType);
    const result = options.brain.select(mediaType, {
      ladder,
      currentRung: options.started(mediaType) ? fromRung : -1,
      bufferMs,
      segmentDurationMs:
        (finite(current.fragmentDuration) ?? finite(current.segmentDuration) ?? 0) * 1000,
      reservedBps: options.reservedBps(mediaType),
    });
    const target = ladder.rungs[result?.decision.toRung ?? -1];
    const representation = representations.find((one) => one.id === target?.representationId);
    if (!result || !target || !representation) return noOpinion(QUALITY_RULE);
    // BOLA may have put a pause before the next request for a choice that is not taken.
    context.getScheduleController()?.setTimeToLoadDelay(0);
    options.onDecision({
      kind: 'select',
      rule: QUALITY_RULE,
      mediaType,
      fromRung,
      toRung: target.index,
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
