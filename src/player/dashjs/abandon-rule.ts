import type { MediaPlayerClass, Representation } from 'dashjs';
import type { Ladder, MediaType } from '../../core';
import type { Brain } from '../session/brain';
import type { Decision } from './dash-decisions';
import {
  ABANDON_RULE,
  STRONG_PRIORITY,
  finite,
  isMediaType,
  noOpinion,
  type DashRequest,
  type ExtensionThis,
  type RuleAnswer,
  type RuleContext,
} from './dash-types';
import type { RungOf } from './ladders';
import type { RequestInFlight } from '../requests/request-tracker';

interface AbandonRequestsRule {
  shouldAbandon(context: RuleContext): RuleAnswer;
}

export interface AbandonRuleOptions {
  brain: Brain;
  /** False leaves the decision about slow requests to dash.js's own rule. */
  useForecast: boolean;
  bufferMs: (mediaType: MediaType) => number;
  /** The ladder last shown to the brain. */
  offered: (mediaType: MediaType) => Ladder | undefined;
  inFlight: (request: DashRequest) => RequestInFlight | undefined;
  rungOf: RungOf;
  onDecision: (decision: Decision) => void;
}

/**
 * Replaces dash.js's AbandonRequestsRule, which reads raw request traces and would bypass the forecast. The original rule
 * answers where the brain has no opinion. Call before `initialize()`.
 */
export function replaceAbandonRule(player: MediaPlayerClass, options: AbandonRuleOptions): void {
  /** One decision a request: dash.js calls the rule on every progress event until the abort took place. */
  const settled = new WeakSet();

  const decide = (
    context: RuleContext,
    original: (context: RuleContext) => RuleAnswer,
  ): RuleAnswer => {
    const request = context.getCurrentRequest();
    const mediaType = context.getMediaType();
    if (!request || !isMediaType(mediaType) || finite(request.index) === undefined) {
      return original(context);
    }
    const representations = context
      .getAbrController()
      .getPossibleVoRepresentationsFilteredBySettings(context.getMediaInfo(), true);
    const flight = options.inFlight(request);
    if (!options.useForecast || !flight || settled.has(flight.request)) return original(context);
    const result = options.brain.judge(flight.requestId);
    if (!result) return original(context);
    const { abandon } = result;
    const targetId = abandon && options.offered(mediaType)?.rungs[abandon.toRung]?.representationId;
    const representation = representations.find((one) => one.id === targetId);
    if (!representation) return noOpinion(ABANDON_RULE);
    settled.add(flight.request);
    return answer(mediaType, request, representation, abandon?.reason ?? '');
  };

  const answer = (
    mediaType: MediaType,
    request: DashRequest,
    representation: Representation,
    reason: string,
  ): RuleAnswer => {
    options.onDecision({
      kind: 'abandon',
      rule: ABANDON_RULE,
      mediaType,
      fromRung: options.rungOf(mediaType, request.representation),
      toRung: options.rungOf(mediaType, representation),
      bufferMs: options.bufferMs(mediaType),
      forecast: options.brain.forecast(),
      reason,
    });
    return {
      representation,
      priority: STRONG_PRIORITY,
      reason: { message: reason },
      rule: ABANDON_RULE,
    };
  };

  function MultipathAbandonRule(this: ExtensionThis<AbandonRequestsRule>): AbandonRequestsRule {
    const { parent } = this;
    // dash.js writes the override into the parent object itself, so its own function is read first.
    const original = parent.shouldAbandon.bind(parent);
    return { shouldAbandon: (context) => decide(context, original) };
  }
  player.extend('AbandonRequestsRule', MultipathAbandonRule, true);
}
