import type { MediaPlayerClass, Representation } from 'dashjs';
import {
  isOwnRule,
  isReferenceRule,
  type Forecast,
  type MediaType,
  type ReferenceRuleName,
} from '../../core';
import type { Clock } from '../../ports';
import { replaceAbandonRule } from './abandon-rule';
import type { BaseUrls } from './base-urls';
import type { Brain } from '../session/brain';
import { BufferHoles } from '../recovery/buffer-holes';
import { countBehindHoles } from './buffer-level';
import type { ChunkSpans } from '../requests/chunk-spans';
import { hearDashDecisions, type Decision } from './dash-decisions';
import {
  bufferTarget,
  dashSettings,
  vanillaSettings,
  type AbrChoice,
  type DashSettings,
} from './dash-settings';
import { isMediaType, mediaRange, periodIdOf, type DashRequest } from './dash-types';
import { beginAtLowestRung } from './first-rung';
import type { Ladders, RungOf } from './ladders';
import { EarlyRequests } from '../requests/early-requests';
import { FailureHandling } from '../recovery/failure-handling';
import { FragmentOwners } from './fragment-owners';
import type { GatewayRoute } from '../requests/gateway-route';
import { hookNetwork } from './network-hooks';
import type { ManifestCheck } from '../recovery/manifest-check';
import { NextRequests } from '../requests/next-requests';
import type { PlayerView } from '../session/player-view';
import type { RequestHistory } from '../requests/request-history';
import type { MultipathPlayerOptions } from '../player-options';
import { addQualityRule, type QualityRuleOptions } from './quality-rule';
import type { ReferenceRuleParts } from './reference-rule';
import { mendRepeatedSegments } from './repeat-segment';
import { segmentTypeOf, type RequestTracker } from '../requests/request-tracker';
import { adaptRetries, followBaseUrls } from './retries';
import { SegmentRescue } from '../recovery/segment-rescue';
import type { NewEvent } from '../session/session';
import { overrideThroughput } from './throughput-override';

export interface PlugInParts {
  player: MediaPlayerClass;
  clock: Clock;
  ladders: Ladders;
  tracker: RequestTracker;
  chunkSpans: ChunkSpans;
  history: RequestHistory;
  view: PlayerView;
  brain: Brain;
  baseUrls: BaseUrls;
  manifest: ManifestCheck;
  route?: GatewayRoute | undefined;
  /** The server's wall clock. */
  serverNowMs: () => number;
  bufferMs: (mediaType: MediaType) => number;
  /** The final URL of an answer. */
  onUrl: (url: string) => void;
  emit: (event: NewEvent) => void;
  onDecision: (decision: Decision) => void;
}

/**
 * True if nothing of ours helps dash.js: with one of its own rules and no correction, or with a rule of the literature,
 * which must not profit from our forecast.
 */
export function isVanilla(abr: AbrChoice, correction: boolean): boolean {
  return isReferenceRule(abr) || (!isOwnRule(abr) && !correction);
}

/**
 * Installs all parts of this player in dash.js. Call before `initialize()`.
 * @returns the owners of requests; undefined if dash.js plays without changes
 */
export function plugIn(
  parts: PlugInParts,
  options: MultipathPlayerOptions,
): FragmentOwners | undefined {
  const { player, clock, ladders, tracker, chunkSpans, view, brain, baseUrls, bufferMs } = parts;
  const { emit, history, onDecision } = parts;
  const { abr = 'multipath', correction = true } = options;
  const rungOf: RungOf = (type, representation) => ladders.rungOf(type, representation);
  const settle = (settings: DashSettings): void => {
    player.updateSettings(settings);
    if (options.bufferTargetMs !== undefined) {
      player.updateSettings(bufferTarget(options.bufferTargetMs));
    }
    if (options.settings) player.updateSettings(options.settings);
  };
  const rescue = isVanilla(abr, correction) ? undefined : new SegmentRescue();
  const fragments = new FragmentOwners();
  const holes = new BufferHoles();
  let early: EarlyRequests | undefined;
  followBaseUrls(player, baseUrls);
  hookNetwork({
    player,
    tracker,
    route: parts.route,
    failures:
      rescue &&
      new FailureHandling({
        ...{ player, clock, rescue, baseUrls, fragments, holes, bufferMs, emit },
        manifest: parts.manifest,
      }),
    onStart: (requestId, startMs, request) => {
      noteAsked(holes, request, options.video.currentTime * 1000);
      history.started(request);
      brain.requestStarted({ requestId, startMs, mediaType: segmentTypeOf(request) });
      chunkSpans.started(requestId, startMs, request);
    },
    onSend: (request, exchange) => {
      fragments.sent(request, exchange);
      early?.sent(request);
    },
    onChunks: (request, bytes) => chunkSpans.arrived(request, bytes),
    onUrl: parts.onUrl,
  });
  hearDashDecisions(player, { ladders, bufferMs, forecast: () => brain.forecast(), onDecision });
  const ruleParts = {
    unusable: (mediaType: MediaType, one: Representation): boolean =>
      rescue?.isUnusable(mediaType, periodIdOf(one), one.id) ?? false,
    bufferMs,
    offer: (mediaType: MediaType, representations: readonly Representation[]) =>
      view.offer(mediaType, representations),
    rungOf,
    onDecision,
  };
  if (isReferenceRule(abr)) {
    const forecast = (): Forecast => brain.forecast();
    addQualityRule(player, {
      ...ruleParts,
      select: loadReferenceRule(abr, { view, history, forecast }),
    });
  }
  if (!isOwnRule(abr) && !rescue) {
    settle(vanillaSettings(abr));
    return undefined;
  }
  const nextRequests = new NextRequests();
  mendRepeatedSegments(player, nextRequests);
  if (parts.route) {
    early = new EarlyRequests({
      ...{ player, nextRequests, route: parts.route, bufferMs, clock },
      serverNowMs: parts.serverNowMs,
      bufferTargetMs: () => view.bufferTargetMs(),
      positionSeconds: () => options.video.currentTime,
    });
  }
  fragments.plugInto(player);
  countBehindHoles(player, holes);
  adaptRetries(player, baseUrls, options.settings);
  if (correction) overrideThroughput(player, brain);
  addQualityRule(player, {
    ...ruleParts,
    select: (mediaType) => (isOwnRule(abr) ? brain.select(mediaType) : undefined),
  });
  replaceAbandonRule(player, {
    brain,
    useForecast: isOwnRule(abr) || correction,
    bufferMs,
    offered: (mediaType) => view.offered(mediaType),
    inFlight: (request) => tracker.inFlight().find((one) => one.request === request),
    rungOf,
    onDecision,
  });
  const asked = options.settings?.streaming?.abr?.initialBitrate?.video;
  const isSet = (player.getSettings().streaming?.abr?.initialBitrate?.video ?? 0) > 0;
  if (isOwnRule(abr) && asked === undefined && !isSet) beginAtLowestRung(player);
  settle(dashSettings(abr));
  return fragments;
}

/**
 * A rule of the literature, loaded on demand, because most pages never play one. Before that it takes the lowest
 * rung, as these rules do before any measurement.
 */
function loadReferenceRule(
  name: ReferenceRuleName,
  parts: ReferenceRuleParts,
): QualityRuleOptions['select'] {
  let select: QualityRuleOptions['select'] | undefined;
  void import('./reference-rule').then(({ createReferenceRule }) => {
    select = createReferenceRule(name, parts);
  });
  return (mediaType) =>
    select ? select(mediaType) : { rung: 0, reason: name, forecast: parts.forecast() };
}

function noteAsked(holes: BufferHoles, request: DashRequest, positionMs: number): void {
  const range = mediaRange(request);
  if (range && isMediaType(request.mediaType)) holes.asked(request.mediaType, range, positionMs);
}
