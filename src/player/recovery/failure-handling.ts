import type { MediaPlayerClass, Representation } from 'dashjs';
import type { MediaType } from '../../core';
import type { Clock } from '../../ports';
import type { BaseUrls } from '../dashjs/base-urls';
import type { BufferHoles } from './buffer-holes';
import {
  DashEvent,
  RequestType,
  finite,
  isMediaType,
  isStreamed,
  mediaRange,
  periodIdOf,
  type DashRequest,
} from '../dashjs/dash-types';
import type { FragmentOwners } from '../dashjs/fragment-owners';
import { member } from '../dashjs/member';
import type { ManifestCheck } from './manifest-check';
import type { SegmentRescue, RescueVerdict } from './segment-rescue';
import { countMissing } from './subtitle-rescue';
import type { NewEvent } from '../session/session';

/** The argument of dash.js's response interceptor. */
export interface InterceptedResponse {
  request: object & { customData?: unknown };
  status?: number;
  url?: string;
  data?: unknown;
}

export interface FailureHandlingOptions {
  player: MediaPlayerClass;
  clock: Pick<Clock, 'after'>;
  rescue: SegmentRescue;
  manifest: ManifestCheck;
  baseUrls: BaseUrls;
  fragments: FragmentOwners;
  holes: BufferHoles;
  bufferMs: (mediaType: MediaType) => number;
  emit: (event: NewEvent) => void;
}

/** Initialization and index have a few kB, and arrive within this time at 10 kbit/s. */
const SMALL_FILE_TIMEOUT_MS = 5000;

/** Least buffer worth keeping when the rung changes: a forced switch discards it and would freeze the picture. */
const EMPTY_BUFFER_MS = 500;

/** Judges answers to requests for segments and manifests, and makes dash.js act on the verdict. */
export class FailureHandling {
  readonly #options: FailureHandlingOptions;
  readonly #missingSubtitles = countMissing();

  constructor(options: FailureHandlingOptions) {
    this.#options = options;
  }

  /** Leaves a silent server early if another one remains: dash.js waits 20 s for each try. */
  limitWait(exchange: { timeout?: number }, request: DashRequest): void {
    const { serviceLocation, type } = request;
    if (type !== RequestType.init && type !== RequestType.index) return;
    if (this.#options.baseUrls.hasOther(serviceLocation ?? ''))
      exchange.timeout = SMALL_FILE_TIMEOUT_MS;
  }

  judge(answer: InterceptedResponse, request: DashRequest): RescueVerdict {
    const { baseUrls, manifest, player, rescue } = this.#options;
    const { mediaType, representation } = request;
    if (request.type === RequestType.manifest) return manifest.judge(answer.data);
    if (!isMediaType(mediaType) || !representation || isAborted(answer)) return { action: 'keep' };
    const periodId = periodIdOf(representation);
    const location = request.serviceLocation ?? '';
    const common = {
      mediaType,
      representationId: representation.id,
      status: answer.status ?? 0,
      otherBaseUrl: baseUrls.hasOther(location),
    };
    const rungs = player.getRepresentationsByType(mediaType, periodId).map((one) => one.id);
    rescue.givenUp(baseUrls.failures);
    if (request.type === RequestType.init) return rescue.judgeInit({ ...common, periodId }, rungs);
    const startTime = finite(request.startTime);
    if (request.type !== RequestType.media || startTime === undefined) return { action: 'keep' };
    return rescue.judge(
      {
        ...common,
        startMs: startTime * 1000,
        data: answer.data,
        live: player.isDynamic(),
        ...(isStreamed(request) ? { streamed: { bytes: finite(request.bytesLoaded) ?? 0 } } : {}),
      },
      rungs,
    );
  }

  apply(verdict: RescueVerdict, answer: InterceptedResponse, request: DashRequest): void {
    this.#mendSubtitles(answer, request);
    const { clock, rescue } = this.#options;
    const where = `${request.mediaType ?? ''} segment at ${(finite(request.startTime) ?? 0).toFixed(1)} s`;
    const defect = verdict.defect ?? '';
    switch (verdict.action) {
      case 'keep':
        return;
      case 'retry':
        spoil(answer);
        return;
      case 'escape':
        spoil(answer);
        if (request.type === RequestType.init) {
          this.#leaveRung(request, defect);
          return;
        }
        this.#report(
          'segment-failed',
          `The ${where} failed (${defect}); it is fetched from another rung: ${request.url}`,
        );
        // The retry can be aborted in favour of the other rung only after dash.js has scheduled it.
        clock.after(0, () => this.#leaveSegment(request));
        return;
      case 'skip':
        answer.status = 200;
        answer.data = rescue.standIn();
        this.#passOver(request);
        this.#report(
          'segment-skipped',
          `The ${where} failed on every rung (${defect}); it is skipped: ${request.url}`,
        );
        return;
      case 'give-up':
        spoil(answer);
        this.#report(
          'segments-unavailable',
          `Too many segments in a row are missing on the server (${defect}), last: ${request.url}`,
          true,
        );
    }
  }

  /** Judges an answer for subtitles, and makes dash.js act on it. */
  #mendSubtitles(answer: InterceptedResponse, request: DashRequest): void {
    if (request.mediaType !== 'text' || isAborted(answer)) return;
    // For a file with all subtitles dash.js takes no other BaseURL.
    const isPart = request.representation?.mediaInfo?.isFragmented === true;
    if (isPart && this.#options.baseUrls.hasOther(request.serviceLocation ?? '')) return;
    const missing = this.#missingSubtitles(request.url, answer.status ?? 0);
    if (missing === 0) return;
    if (missing === 1) {
      this.#report('subtitles-unavailable', `No subtitles: ${request.url}`);
    }
    // dash.js takes it without reading it.
    answer.data = new ArrayBuffer(0);
    answer.status = 200;
  }

  #passOver(request: DashRequest): void {
    const range = mediaRange(request);
    if (range && isMediaType(request.mediaType)) {
      this.#options.holes.passed(request.mediaType, range);
    }
  }

  /** Fetches a segment from another rung, also where the viewer has chosen the rung. */
  #leaveSegment(request: DashRequest): void {
    const { player, rescue } = this.#options;
    const { mediaType, representation } = request;
    if (!isMediaType(mediaType) || !representation) return;
    const failed = rescue.failedRungs(mediaType, (finite(request.startTime) ?? 0) * 1000);
    const target = this.#nearestRung(mediaType, representation, (id) => !failed.has(id));
    if (target) requestSwitch(player, mediaType, representation, target, { forceAbandon: true });
  }

  /** The nearest rung below, else the lowest. */
  #nearestRung(
    mediaType: MediaType,
    representation: Representation,
    has: (id: string) => boolean,
  ): Representation | undefined {
    const rising = this.#options.player
      .getRepresentationsByType(mediaType, periodIdOf(representation))
      .filter(({ id }) => has(id))
      .sort((a, b) => a.bandwidth - b.bandwidth);
    return rising.filter((one) => one.bandwidth < representation.bandwidth).at(-1) ?? rising[0];
  }

  #leaveRung(request: DashRequest, defect: string): void {
    const { bufferMs, clock, fragments, player, rescue } = this.#options;
    const { mediaType, representation } = request;
    if (!isMediaType(mediaType) || !representation) return;
    this.#report(
      'init-failed',
      `The initialization segment of a ${mediaType} rung failed (${defect}); the rung is excluded: ${request.url}`,
    );
    const periodId = periodIdOf(representation);
    const isUsable = (id: string): boolean => !rescue.isUnusable(mediaType, periodId, id);
    const target = this.#nearestRung(mediaType, representation, isUsable);
    if (!target) return;
    // The retry can be aborted only after dash.js has scheduled it.
    clock.after(0, () => {
      if (bufferMs(mediaType) < EMPTY_BUFFER_MS || player.isSeeking()) {
        player.setRepresentationForTypeById(mediaType, target.id, true);
        return;
      }
      // A forced switch would discard the buffer and freeze the picture.
      fragments.abort(request);
      requestSwitch(player, mediaType, representation, target);
    });
  }

  #report(code: string, message: string, fatal = false): void {
    this.#options.emit({ type: 'error', code, message, fatal });
  }
}

/** Requests another rung the way dash.js's rules do, also in a period that does not play yet. */
function requestSwitch(
  player: MediaPlayerClass,
  mediaType: MediaType,
  oldRepresentation: Representation,
  newRepresentation: Representation,
  reason: { forceAbandon?: boolean } = {},
): void {
  const { mediaInfo } = newRepresentation;
  const streamInfo = mediaInfo?.streamInfo;
  if (!streamInfo) return;
  // The declaration takes an event object where the implementation takes its name.
  const bus = player as unknown as { trigger(type: string, payload: object, to: object): void };
  bus.trigger(
    DashEvent.qualityChangeRequested,
    {
      isAdaptationSetSwitch: oldRepresentation.mediaInfo?.index !== mediaInfo.index,
      mediaType,
      newRepresentation,
      oldRepresentation,
      reason,
      streamInfo,
    },
    { streamId: streamInfo.id, mediaType },
  );
}

/** Abandoned on purpose, so this is no failure. */
const isAborted = ({ request }: InterceptedResponse): boolean =>
  member(request.customData, 'abortController', 'signal', 'aborted') === true;

/** Makes dash.js see a failed download. */
function spoil(answer: InterceptedResponse): void {
  if ((answer.status ?? 0) < 400) answer.status = 0;
  answer.data = undefined;
}
