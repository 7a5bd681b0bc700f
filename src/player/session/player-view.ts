import type { MediaPlayerClass, Representation } from 'dashjs';
import type { BrainObservation, ControllablePaths } from '../../brain';
import type { PerMedia, RequestInFlight } from '../../abr';
import { type Ladder, type MediaType, MEDIA_TYPES } from '../../core';
import type { Clock } from '../../ports';
import { ask, durationMs, finite, isDynamic } from '../dashjs/dash-types';
import { toLadder, type Ladders } from '../dashjs/ladders';
import type { RequestHistory } from '../requests/request-history';
import type { RequestTracker } from '../requests/request-tracker';
import { segmentDurationMs } from '../requests/segment-sizes';

export interface PlayerViewOptions {
  player: MediaPlayerClass;
  clock: Pick<Clock, 'nowMs'>;
  ladders: Ladders;
  tracker: Pick<RequestTracker, 'inFlight'>;
  history: RequestHistory;
  bufferMs: (mediaType: MediaType) => number;
  playing: () => boolean;
  /** The element's `playbackRate`. */
  playbackRate: () => number;
  control: () => ControllablePaths;
}

/** Number of coming segments whose sizes the brain receives. */
const SEGMENTS_AHEAD = 5;

interface Offer {
  ladder: Ladder;
  /** Representations in the order of the rungs. */
  representations: readonly Representation[];
}

/** The player's state in the form the brain receives. Rungs belong to the ladder offered last. */
export class PlayerView {
  readonly #options: PlayerViewOptions;
  readonly #offers = new Map<MediaType, Offer>();

  constructor(options: PlayerViewOptions) {
    this.#options = options;
  }

  /** Sets the choice from now on, without unplayable rungs. */
  offer(mediaType: MediaType, representations: readonly Representation[]): Offer {
    const before = this.#offers.get(mediaType);
    const same =
      before?.representations.length === representations.length &&
      representations.every((one) => before.representations.includes(one));
    if (before && same) return before;
    const ladder = toLadder(mediaType, representations);
    const sorted = ladder.rungs.flatMap(({ representationId }) =>
      representations.filter((one) => one.id === representationId).slice(0, 1),
    );
    const offer = { ladder, representations: sorted };
    this.#offers.set(mediaType, offer);
    return offer;
  }

  /** The ladder last shown to the brain. */
  offered(mediaType: MediaType): Ladder | undefined {
    return this.#offers.get(mediaType)?.ladder;
  }

  observe(trigger: BrainObservation['trigger'], mediaType?: MediaType): BrainObservation {
    const { clock, bufferMs, playing, playbackRate, control } = this.#options;
    this.#offerWhatIsNew();
    const live = this.#live();
    const speed = playbackRate();
    return {
      monotonicMs: clock.nowMs(),
      trigger,
      ...(mediaType ? { mediaType } : {}),
      ladders: [...this.#offers.values()].map(({ ladder }) => ladder),
      currentRung: this.#each((type) => this.#rung(type)),
      bufferMs: this.#each((type) => Math.round(bufferMs(type))),
      bufferTargetMs: this.bufferTargetMs(),
      playing: playing(),
      requests: this.#requests(),
      nextSegments: this.#each((type) => this.#next(type)),
      segmentDurationMs: this.#each((type) =>
        segmentDurationMs(this.#offers.get(type)?.representations[0]),
      ),
      ...(live ? { live } : {}),
      ...(speed === 1 ? {} : { playbackRate: speed }),
      control: control(),
    };
  }

  /** -1 if it is not among the current choice. */
  rungOf(mediaType: MediaType, representationId: string | undefined): number {
    const rungs = this.#offers.get(mediaType)?.ladder.rungs ?? [];
    return rungs.findIndex((rung) => rung.representationId === representationId);
  }

  /** Rung of the newest request. */
  #rung(mediaType: MediaType): number {
    return this.rungOf(mediaType, this.#options.history.asked(mediaType)?.representationId);
  }

  /** Offers all rungs of the stream before the first call of the rules, and after a new period. */
  #offerWhatIsNew(): void {
    for (const mediaType of MEDIA_TYPES) {
      if (!this.#options.ladders.of(mediaType)) {
        this.#offers.delete(mediaType);
      } else if (!this.#offers.has(mediaType)) {
        this.offer(mediaType, this.#options.player.getRepresentationsByType(mediaType));
      }
    }
  }

  #each<T>(pick: (mediaType: MediaType) => T): PerMedia<T> {
    const all: PerMedia<T> = {};
    for (const mediaType of MEDIA_TYPES) {
      if (this.#offers.has(mediaType)) all[mediaType] = pick(mediaType);
    }
    return all;
  }

  #requests(): RequestInFlight[] {
    const { history, tracker } = this.#options;
    return tracker.inFlight().map((flight) => {
      const { mediaType, request } = flight;
      const isMedia = flight.kind === 'media';
      const durationMs = isMedia ? finite(request.duration) : undefined;
      const bytesTotal = flight.bytesTotal ?? (isMedia ? history.exactBytes(request) : undefined);
      return {
        requestId: flight.requestId,
        ...(mediaType ? { mediaType } : {}),
        rung: mediaType ? this.rungOf(mediaType, request.representation?.id) : -1,
        startMs: flight.startMs,
        bytesLoaded: flight.bytesLoaded,
        ...(bytesTotal !== undefined && bytesTotal > 0 ? { bytesTotal } : {}),
        ...(durationMs !== undefined && durationMs > 0
          ? { durationMs: Math.round(durationMs * 1000) }
          : {}),
      };
    });
  }

  #next(mediaType: MediaType): (number | undefined)[][] {
    const offer = this.#offers.get(mediaType);
    const { history } = this.#options;
    if (offer === undefined) return [];
    const fromMs = history.asked(mediaType)?.endMs ?? 0;
    const count = Math.min(SEGMENTS_AHEAD, this.#segmentsLeft(offer, fromMs));
    return history.next(mediaType, offer.representations, fromMs, count);
  }

  /** Number of segments until the end of the film; Infinity for a live stream. */
  #segmentsLeft({ representations }: Offer, fromMs: number): number {
    const { player } = this.#options;
    const endMs = durationMs(player) ?? Infinity;
    const lengthMs = segmentDurationMs(representations[0]);
    const isOpen = isDynamic(player) || !(lengthMs > 0) || !(endMs > 0);
    return isOpen ? Infinity : Math.max(0, Math.ceil((endMs - fromMs) / lengthMs));
  }

  /** dash.js keeps more when the top rung is loaded. */
  bufferTargetMs(): number {
    const { player } = this.#options;
    const buffer = player.getSettings().streaming?.buffer;
    const top = this.#offers.get('video')?.ladder.rungs.length ?? 0;
    const atTop = this.#rung('video') === top - 1;
    const isLong =
      (durationMs(player) ?? 0) >= (buffer?.longFormContentDurationThreshold ?? Infinity) * 1000;
    const seconds = !atTop
      ? buffer?.bufferTimeDefault
      : isLong
        ? buffer?.bufferTimeAtTopQualityLongForm
        : buffer?.bufferTimeAtTopQuality;
    return Math.max(0, (seconds ?? 0) * 1000);
  }

  #live(): BrainObservation['live'] {
    const { player, bufferMs } = this.#options;
    if (this.#offers.size === 0 || !isDynamic(player)) return undefined;
    const latencyMs = Math.max(0, Math.round((finite(player.getCurrentLiveLatency()) ?? 0) * 1000));
    const targetMs = Math.round((finite(ask(() => player.getTargetLiveDelay())) ?? 0) * 1000);
    const chunkMs = chunkMsOf(this.#offers.get('video')?.representations[0]);
    return {
      latencyMs,
      ...(targetMs > 0 ? { targetLatencyMs: targetMs } : {}),
      availableMs: Math.max(0, latencyMs - Math.round(bufferMs('video'))),
      ...(chunkMs === undefined ? {} : { unitMs: chunkMs }),
    };
  }
}

/** Media in a chunk of a low latency stream. */
function chunkMsOf(representation: Representation | undefined): number | undefined {
  if (representation?.availabilityTimeComplete !== false) return undefined;
  const offsetMs = (finite(representation.availabilityTimeOffset) ?? 0) * 1000;
  const chunkMs = Math.round(segmentDurationMs(representation) - offsetMs);
  return offsetMs > 0 && chunkMs > 0 ? chunkMs : undefined;
}
