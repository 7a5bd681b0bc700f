import type { MediaPlayerClass } from 'dashjs';
import type { MediaType } from '../core';
import type { Clock } from '../ports';
import { replaceAbandonRule } from './abandon-rule';
import type { Brain } from './brain';
import { hearDashDecisions, type Decision } from './dash-decisions';
import {
  bufferTarget,
  dashSettings,
  vanillaSettings,
  type AbrChoice,
  type DashSettings,
} from './dash-settings';
import type { Ladders, RungOf } from './ladders';
import { hookNetwork } from './network-hooks';
import type { PlayerView } from './player-view';
import type { MultipathPlayerOptions } from './player-options';
import { addQualityRule } from './quality-rule';
import { mendRepeatedSegments } from './repeat-segment';
import type { RequestTracker } from './request-tracker';
import { SegmentRescue } from './segment-rescue';
import type { NewEvent } from './session';
import { overrideThroughput } from './throughput-override';

export interface PlugInParts {
  player: MediaPlayerClass;
  clock: Clock;
  ladders: Ladders;
  tracker: RequestTracker;
  view: PlayerView;
  brain: Brain;
  bufferMs: (mediaType: MediaType) => number;
  /** The final URL of an answer. */
  onUrl: (url: string) => void;
  emit: (event: NewEvent) => void;
  onDecision: (decision: Decision) => void;
}

/** dash.js plays as it comes, only watched. */
export function isVanilla(abr: AbrChoice, correction: boolean): boolean {
  return abr !== 'multipath' && !correction;
}

/** Puts everything of ours into dash.js. Call before `initialize()`. */
export function plugIn(parts: PlugInParts, options: MultipathPlayerOptions): void {
  const { player, clock, ladders, tracker, view, brain, bufferMs, emit, onDecision } = parts;
  const { abr = 'multipath', correction = true } = options;
  const rungOf: RungOf = (type, id) => ladders.rungOf(type, id);
  const settle = (settings: DashSettings): void => {
    player.updateSettings(settings);
    if (options.bufferTargetMs !== undefined) {
      player.updateSettings(bufferTarget(options.bufferTargetMs));
    }
    if (options.settings) player.updateSettings(options.settings);
  };
  const rescue = isVanilla(abr, correction) ? undefined : new SegmentRescue();
  hookNetwork({
    player,
    clock,
    ladders,
    tracker,
    ...(rescue ? { rescue } : {}),
    onStart: (requestId, startMs, request) => {
      view.started(request);
      brain.requestStarted({ requestId, startMs });
    },
    onUrl: parts.onUrl,
    emit,
  });
  hearDashDecisions(player, { ladders, bufferMs, forecast: () => brain.forecast(), onDecision });
  if (abr !== 'multipath' && !rescue) {
    settle(vanillaSettings(abr));
    return;
  }
  mendRepeatedSegments(player);
  if (correction) overrideThroughput(player, brain);
  addQualityRule(player, {
    brain,
    useForecast: abr === 'multipath',
    unusable: () => rescue?.unusableRungs ?? new Set(),
    bufferMs,
    offer: (mediaType, representations) => view.offer(mediaType, representations),
    rungOf,
    onDecision,
  });
  replaceAbandonRule(player, {
    brain,
    useForecast: abr === 'multipath' || correction,
    bufferMs,
    offered: (mediaType) => view.offered(mediaType),
    inFlight: (request) => tracker.inFlight().find((one) => one.request === request),
    failedRungs: (mediaType, startMs) => rescue?.failedRungs(mediaType, startMs) ?? new Set(),
    rungOf,
    onDecision,
  });
  settle(dashSettings(abr));
}
