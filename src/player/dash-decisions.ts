import type { MediaPlayerClass } from 'dashjs';
import type { MediaType } from '../core';
import type { DecisionEvent, Forecast } from '../qoe';
import { ABANDON_RULE, QUALITY_RULE, DashEvent, isMediaType } from './dash-types';
import type { Ladders } from './ladders';

/** What a rule decided, before it is stamped. */
export type Decision = Omit<DecisionEvent, 'type' | 'monotonicMs'>;

export interface DashDecisionsOptions {
  ladders: Ladders;
  bufferMs: (mediaType: MediaType) => number;
  forecast: () => Forecast;
  onDecision: (decision: Decision) => void;
}

/** Reports the decisions of dash.js's own rules, which speak only when they change something. */
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
    const old = event.oldRepresentation as { id: string } | null;
    options.onDecision({
      kind: rule.startsWith('Abandon') ? 'abandon' : 'select',
      rule,
      mediaType,
      fromRung: ladders.rungOf(mediaType, old?.id),
      toRung: ladders.rungOf(mediaType, event.newRepresentation.id),
      bufferMs: options.bufferMs(mediaType),
      forecast: options.forecast(),
      reason: message,
    });
  });
}
