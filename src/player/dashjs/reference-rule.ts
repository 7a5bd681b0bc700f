import { observeForReference, referenceRules } from '../../abr';
import { formatBitRate, type Forecast, type MediaType, type ReferenceRuleName } from '../../core';
import type { PlayerView } from '../session/player-view';
import type { RequestHistory } from '../requests/request-history';

export interface ReferenceRuleParts {
  view: Pick<PlayerView, 'observe' | 'offered'>;
  history: Pick<RequestHistory, 'throughputBps'>;
  /** Forecast for the log: these rules do not read it. */
  forecast: () => Forecast;
}

/** A choice for the next segment. */
interface Selected {
  rung: number;
  reason: string;
  forecast: Forecast;
}

/**
 * The choice of a rule of the literature, from dash.js's own knowledge: its buffer and the throughput of its
 * segments. Audio gets its highest rung, as in the simulator.
 */
export function createReferenceRule(
  name: ReferenceRuleName,
  { view, history, forecast }: ReferenceRuleParts,
): (mediaType: MediaType) => Selected | undefined {
  return (mediaType) => {
    const ladder = view.offered(mediaType);
    if (ladder === undefined || ladder.rungs.length === 0) return undefined;
    const answer = (rung: number): Selected => ({
      rung,
      reason: `${name}: ${formatBitRate(ladder.rungs[rung]?.bitrateBps ?? 0)}`,
      forecast: forecast(),
    });
    if (mediaType === 'audio') return answer(ladder.rungs.length - 1);
    const seen = observeForReference(view.observe('segment', mediaType), history.throughputBps);
    return seen && answer(referenceRules[name](seen));
  };
}
