import type { MediaPlayerClass, Representation } from 'dashjs';
import { formatSeconds, type Ladder, type MediaType } from '../../core';
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
import { toLadder, type RungOf } from './ladders';
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
  /** Representations known to lack this segment. */
  failedRungs: (mediaType: MediaType, startMs: number) => ReadonlySet<string>;
  rungOf: RungOf;
  onDecision: (decision: Decision) => void;
}

/**
 * Replaces dash.js's AbandonRequestsRule, which reads raw request traces and would bypass the forecast. It
 * first leaves a rung that lacks the segment, then calls the brain. The original rule answers where the brain
 * has no opinion. Call before `initialize()`.
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
    const ladder = toLadder(mediaType, representations);
    const rung = ladder.rungs.findIndex(
      (one) => one.representationId === request.representation?.id,
    );
    const byRung = (index: number): Representation | undefined =>
      representations.find((one) => one.id === ladder.rungs[index]?.representationId);
    const bufferMs = options.bufferMs(mediaType);

    const startMs = (finite(request.startTime) ?? 0) * 1000;
    const failed = options.failedRungs(mediaType, startMs);
    if (failed.has(request.representation?.id ?? '')) {
      // The nearest rung below, else the nearest above.
      const current = context.getRepresentation()?.id;
      const others = ladder.rungs.filter(
        (one) => !failed.has(one.representationId) && one.representationId !== current,
      );
      const target = others.filter((one) => one.index < rung).at(-1) ?? others[0];
      const representation = byRung(target?.index ?? -1);
      if (!target || !representation) return noOpinion(ABANDON_RULE);
      const reason = `segment at ${formatSeconds(startMs)} is missing on this rung: fetched from another`;
      return answer(mediaType, request, representation, bufferMs, reason);
    }

    const flight = options.inFlight(request);
    if (!options.useForecast || !flight || settled.has(flight.request)) return original(context);
    const result = options.brain.judge(flight.requestId);
    if (!result) return original(context);
    const { abandon } = result;
    const targetId = abandon && options.offered(mediaType)?.rungs[abandon.toRung]?.representationId;
    const representation = representations.find((one) => one.id === targetId);
    if (!representation) return noOpinion(ABANDON_RULE);
    settled.add(flight.request);
    return answer(mediaType, request, representation, bufferMs, abandon?.reason ?? '');
  };

  const answer = (
    mediaType: MediaType,
    request: DashRequest,
    representation: Representation,
    bufferMs: number,
    reason: string,
  ): RuleAnswer => {
    options.onDecision({
      kind: 'abandon',
      rule: ABANDON_RULE,
      mediaType,
      fromRung: options.rungOf(mediaType, request.representation),
      toRung: options.rungOf(mediaType, representation),
      bufferMs,
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
