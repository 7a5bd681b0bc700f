import type { MediaPlayerClass } from 'dashjs';
import type { Clock } from '../ports';
import type { NewEvent } from './session';
import {
  DashEvent,
  RequestType,
  checkAbandon,
  finite,
  isMediaType,
  readDashRequest,
} from './dash-types';
import type { DashRequest } from './dash-types';
import type { Ladders } from './ladders';
import type { RequestTracker } from './request-tracker';
import type { SegmentRescue, Verdict } from './segment-rescue';

export interface NetworkHooksOptions {
  player: MediaPlayerClass;
  clock: Clock;
  ladders: Ladders;
  tracker: RequestTracker;
  /** Absent: answers are only watched. */
  rescue?: SegmentRescue;
  onStart: (requestId: number, startMs: number, request: DashRequest) => void;
  /** The final URL of an answer, after redirects. */
  onUrl: (url: string) => void;
  emit: (event: NewEvent) => void;
}

interface Answer {
  request: object & { customData?: unknown };
  status?: number;
  url?: string;
  data?: unknown;
}

/**
 * Puts the tracker and the segment rescue between dash.js and the network, through its request and
 * response interceptors. Call before `initialize()`.
 */
export function hookNetwork(options: NetworkHooksOptions): void {
  const { player, clock, ladders, tracker, rescue } = options;

  player.addRequestInterceptor((request) => {
    const dashRequest = readDashRequest(request.customData);
    if (dashRequest) {
      const { requestId, startMs } = tracker.start(request, dashRequest);
      options.onStart(requestId, startMs, dashRequest);
    }
    return Promise.resolve(request);
  });

  player.addResponseInterceptor((response) => {
    const answer: Answer = response;
    const request = readDashRequest(answer.request.customData);
    if (!request) return Promise.resolve(response);
    const verdict = judge(answer, request);
    tracker.end(answer.request, {
      status: answer.status ?? 0,
      bytes: sizeOf(answer.data),
      url: answer.url,
      defect: verdict.defect,
    });
    if (answer.url) options.onUrl(answer.url);
    apply(verdict, answer, request);
    return Promise.resolve(response);
  });

  player.on(DashEvent.fragmentLoadingAbandoned, (event) => {
    if ('request' in event) tracker.abandoned(event.request);
  });

  function judge(answer: Answer, request: DashRequest): Verdict {
    const { mediaType } = request;
    if (!isMediaType(mediaType) || !rescue) return { action: 'keep' };
    const representationId = request.representation?.id ?? '';
    const rungs = (ladders.of(mediaType)?.rungs ?? []).map((rung) => rung.representationId);
    if (request.type === RequestType.init) {
      return rescue.judgeInit(answer.status ?? 0, representationId, rungs);
    }
    const startTime = finite(request.startTime);
    if (request.type !== RequestType.media || startTime === undefined) return { action: 'keep' };
    return rescue.judge(
      {
        mediaType,
        startMs: startTime * 1000,
        representationId,
        status: answer.status ?? 0,
        data: answer.data,
      },
      rungs,
    );
  }

  function apply(verdict: Verdict, answer: Answer, request: DashRequest): void {
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
          leaveRung(request, defect);
          return;
        }
        options.emit({
          type: 'error',
          code: 'segment-failed',
          message: `The ${where} failed (${defect}); it is fetched from another rung: ${request.url}`,
          fatal: false,
        });
        // Only after dash.js has set its own retry up can that be aborted in favour of the other rung.
        clock.after(0, () => checkAbandon(player, request));
        return;
      case 'skip':
        answer.status = 200;
        answer.data = rescue?.standIn();
        options.emit({
          type: 'error',
          code: 'segment-skipped',
          message: `The ${where} failed on every rung (${defect}); it is passed over: ${request.url}`,
          fatal: false,
        });
        return;
      case 'give-up':
        spoil(answer);
        options.emit({
          type: 'error',
          code: 'segments-unavailable',
          message: `Too many segments in a row are missing (${defect}), last: ${request.url}. The stream on the server is incomplete.`,
          fatal: true,
        });
    }
  }

  function leaveRung(request: DashRequest, defect: string): void {
    const { mediaType } = request;
    if (!isMediaType(mediaType)) return;
    options.emit({
      type: 'error',
      code: 'init-failed',
      message: `The initialization segment of a ${mediaType} rung failed (${defect}); the rung is left out: ${request.url}`,
      fatal: false,
    });
    const rungs = ladders.of(mediaType)?.rungs ?? [];
    const failed = rungs.findIndex((rung) => rung.representationId === request.representation?.id);
    const usable = rungs.filter((rung) => !rescue?.unusableRungs.has(rung.representationId));
    const target = usable.filter((rung) => rung.index < failed).at(-1) ?? usable[0];
    if (!target) return;
    // The request cannot be abandoned like a segment's; a forced switch aborts it.
    clock.after(0, () =>
      player.setRepresentationForTypeById(mediaType, target.representationId, true),
    );
  }
}

/** Makes dash.js see a failed download. */
function spoil(answer: Answer): void {
  if ((answer.status ?? 0) < 400) answer.status = 0;
  answer.data = undefined;
}

function sizeOf(data: unknown): number | undefined {
  if (data instanceof ArrayBuffer) return data.byteLength;
  if (typeof data === 'string') return new TextEncoder().encode(data).length;
  return undefined;
}
