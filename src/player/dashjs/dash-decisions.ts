import type { MediaPlayerClass, Representation } from 'dashjs';
import type { MediaType, Forecast } from '../../core';
import type { DecisionEvent } from '../../session-log';
import { ABANDON_RULE, QUALITY_RULE, DashEvent, isMediaType } from './dash-types';
import type { Ladders } from './ladders';

/** A rule's decision before it has a timestamp. */
export type Decision = Omit<DecisionEvent, 'type' | 'monotonicMs'>;

export interface DashDecisionsOptions {
  ladders: Ladders;
  bufferMs: (mediaType: MediaType) => number;
  forecast: () => Forecast;
  onDecision: (decision: Decision) => void;
}

/** Reports the decisions of dash.js's own rules, which emit only changes. */
export function hearDashDecisions(player: MediaPlayerClass, options: DashDecisionsOptions): void {
  const { ladders } = options;
  player.on(DashEvent.qualityChangeRequested, (event) => {
    const { mediaType } = event;
    const { message } = (event.reason ?? {}) as { message?: unknown };
    if (!isMediaType(mediaType) || typeof message !== 'string') return;
    // Their messages begin with the rule's name in brackets.
    const rule = /^\[(\w+)/.exec(message)?.[1];
    if (rule === undefined || rule === QUALITY_RULE || rule === ABANDON_RULE) return;
    // The first choice of a stream replaces nothing.
    const old = event.oldRepresentation as Representation | null;
    options.onDecision({
      kind: rule.startsWith('Abandon') ? 'abandon' : 'select',
      rule,
      mediaType,
      fromRung: ladders.rungOf(mediaType, old),
      toRung: ladders.rungOf(mediaType, event.newRepresentation),
      bufferMs: options.bufferMs(mediaType),
      forecast: options.forecast(),
      reason: message,
    });
  });
}
