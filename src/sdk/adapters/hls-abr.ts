import type HlsPlayer from 'hls.js';
import type { AbrController, Fragment, Part } from 'hls.js';
import { bufferedAheadMs } from './buffered-ahead';
import { SAMPLE_PERIOD_MS, type Ladder, type MediaType } from '../../core';
import type { PlayerState, RequestResult, RungChoice } from '../../player';
import type { MultipathCore } from '../embed-core';
import { levelWithin, rungLevels } from './hls-rungs';

/** hls.js asks for the next level many times a second; a choice holds this long. */
const FRESH_MS = SAMPLE_PERIOD_MS;

/** The adapter's view of the hls.js player that it drives; empty until hls.js makes its ABR controller. */
export class HlsView {
  hls: HlsPlayer | undefined;
  /** Index of the level that hls.js itself would load, or loads: its codecs and dynamic range are the stream's. */
  ownLevel = -1;
  #segmentDurationMs = 0;

  constructor(readonly video: HTMLVideoElement) {}

  segmentDuration(seconds: number): void {
    if (seconds > 0) this.#segmentDurationMs = seconds * 1000;
  }

  /** Index of each rung's level in hls.js. */
  levels(): number[] {
    const { hls, ownLevel } = this;
    return hls?.levels
      ? rungLevels(hls.levels, hls.levels[ownLevel] ? ownLevel : hls.firstLevel)
      : [];
  }

  ladders(): Ladder[] {
    const rungs = this.levels().flatMap((place, index) => {
      const level = this.hls?.levels[place];
      if (!level) return [];
      return {
        index,
        representationId: level.name || String(place),
        bitrateBps: level.bitrate,
        ...(level.width > 0 ? { width: level.width } : {}),
        ...(level.height > 0 ? { height: level.height } : {}),
      };
    });
    return rungs.length > 0 ? [{ mediaType: 'video', rungs }] : [];
  }

  state(): PlayerState {
    const { hls, video } = this;
    return {
      ladders: this.ladders(),
      bufferMs: { video: bufferedAheadMs(video) },
      bufferTargetMs: (hls?.config.maxBufferLength ?? 0) * 1000,
      segmentDurationMs: this.#segmentDurationMs > 0 ? { video: this.#segmentDurationMs } : {},
      ...(hls?.latestLevelDetails?.live
        ? { live: { latencyMs: Math.max(0, hls.latency * 1000) } }
        : {}),
    };
  }
}

/** A request that hls.js makes: for a fragment, or for one part of it (low latency). */
interface OpenRequest {
  requestId: number;
  part: Part | undefined;
}

/** hls.js's ABR controller with our choice of the level wherever the core has an opinion. */
export function hlsAbrController(
  Hls: typeof HlsPlayer,
  core: MultipathCore,
  view: HlsView,
): typeof AbrController {
  const { Events } = Hls;

  return class MultipathAbrController extends Hls.DefaultConfig.abrController {
    #choice: { choice: RungChoice | undefined; atMs: number } | undefined;
    readonly #requests = new Map<Fragment, OpenRequest>();

    constructor(hls: HlsPlayer) {
      super(hls);
      view.hls = hls;
      hls.on(Events.MANIFEST_LOADING, (_, { url }) =>
        core.begin(new URL(url, document.baseURI).href),
      );
      hls.on(Events.LEVEL_LOADED, (_, { details }) =>
        view.segmentDuration(details.averagetargetduration ?? details.targetduration),
      );
      let announced = false;
      hls.on(Events.LEVEL_LOADED, (_, { details }) => {
        if (announced) return;
        announced = true;
        core.manifest(
          details.live ? 'dynamic' : 'static',
          details.live ? undefined : details.totalduration * 1000,
        );
      });
      hls.on(Events.FRAG_LOADING, (_, { frag, part }) => this.#started(frag, part));
      hls.on(Events.FRAG_LOADED, (_, { frag, part }) => {
        this.#ended(frag, 'ok');
        // hls.js requests the next part without an event, as soon as its listeners have returned.
        if (part) queueMicrotask(() => this.#nextPart(frag));
      });
      hls.on(Events.FRAG_LOAD_EMERGENCY_ABORTED, (_, { frag }) => this.#ended(frag, 'abandoned'));
      hls.on(Events.ERROR, (_, { details, fatal, frag, response, error }) => {
        // hls.js reports a request that it gives up, as at a seek, as an error.
        if (frag && details === Hls.ErrorDetails.INTERNAL_ABORTED) {
          this.#ended(frag, 'abandoned');
          return;
        }
        if (frag) this.#ended(frag, 'failed', response?.code);
        core.error({ code: `hls-${details}`, message: error.message, fatal });
      });
    }

    override get nextAutoLevel(): number {
      const fallback = super.nextAutoLevel;
      view.ownLevel = fallback;
      const rung = this.#choose()?.rung;
      const own = rung === undefined ? undefined : levelWithin(this.hls, view.levels(), rung);
      const { levels } = this.hls;
      if (own === undefined || !levels[own]) return fallback;
      // A level that keeps failing is left to hls.js, which knows where to go from it.
      return levels[own].loadError > (levels[fallback]?.loadError ?? 0) ? fallback : own;
    }

    override set nextAutoLevel(level: number) {
      super.nextAutoLevel = level;
    }

    #choose(): RungChoice | undefined {
      const nowMs = core.nowMs();
      if (!this.#choice || nowMs - this.#choice.atMs >= FRESH_MS) {
        this.#choice = { choice: core.decide('video'), atMs: nowMs };
      }
      return this.#choice.choice;
    }

    #nextPart(frag: Fragment): void {
      const part = frag.loader?.context?.part;
      if (part) this.#started(frag, part);
    }

    #started(frag: Fragment, part: Part | null | undefined): void {
      if (this.#requests.has(frag) || !isFollowed(frag)) return;
      if (isMain(frag)) view.ownLevel = frag.level;
      const { url, duration } = part ?? frag;
      const requestId = core.requestStarted({
        url,
        ...placeOf(frag, view),
        durationMs: duration * 1000,
      });
      this.#requests.set(frag, { requestId, part: part ?? undefined });
    }

    #ended(frag: Fragment, outcome: RequestResult['outcome'], status?: number): void {
      const request = this.#requests.get(frag);
      if (!request) return;
      this.#requests.delete(frag);
      this.#choice = undefined;
      const { requestId, part } = request;
      const nowMs = core.nowMs();
      core.requestEnded(requestId, {
        ...resultOf(frag, { outcome, part, status, nowMs }),
        ...placeOf(frag, view),
      });
    }
  };
}

interface FragmentEnd {
  outcome: RequestResult['outcome'];
  /** Absent if the request was for the whole fragment. */
  part: Part | undefined;
  /** HTTP status, if hls.js reports it. */
  status: number | undefined;
  /** Time of the end on the feed's clock. */
  nowMs: number;
}

function resultOf(
  frag: Fragment,
  { outcome, part, status, nowMs }: FragmentEnd,
): Omit<RequestResult, 'mediaType' | 'rung'> {
  const { duration, start, stats, url } = part ?? frag;
  const { loading } = stats;
  // hls.js stamps with the page's clock; the last stamp is now.
  const onFeed = (pageMs: number): number => nowMs - Math.max(0, performance.now() - pageMs);
  return {
    kind: 'media',
    url,
    segmentIndex: Number(frag.sn),
    mediaStartMs: Math.max(0, start * 1000),
    mediaDurationMs: duration * 1000,
    startMs: loading.start > 0 ? onFeed(loading.start) : nowMs,
    ...(loading.first > 0 ? { firstByteMs: onFeed(loading.first) } : {}),
    endMs: nowMs,
    bytes: stats.loaded,
    status: status ?? (outcome === 'ok' ? 200 : 0),
    outcome,
    ...(outcome === 'failed' ? { error: status ? `HTTP ${status}` : 'no complete answer' } : {}),
  };
}

/**
 * hls.js fires no event at the end of an initialization segment. Its open request would make idle networks look silent.
 * Subtitles have no rung.
 */
function isFollowed({ sn, type }: Fragment): boolean {
  const name: string = type;
  return sn !== 'initSegment' && name !== 'subtitle';
}

/** A fragment's place in the ladder; renditions of audio have no ladder of their own in HLS. */
function placeOf(frag: Fragment, view: HlsView): { mediaType: MediaType; rung: number } {
  const name: string = frag.type;
  return {
    mediaType: name === 'audio' ? 'audio' : 'video',
    rung: isMain(frag) ? view.levels().indexOf(frag.level) : -1,
  };
}

/** False for the fragments of an audio rendition and of subtitles. */
function isMain({ type }: Fragment): boolean {
  const name: string = type;
  return name === 'main';
}
