import type { MediaPlayerClass, Representation } from 'dashjs';
import type { PerMedia } from '../../abr';
import { type MediaType, MEDIA_TYPES } from '../../core';
import {
  DashEvent,
  bufferMsOf,
  durationMs,
  finite,
  isDynamic,
  isMediaType,
} from '../dashjs/dash-types';
import type { Ladders } from '../dashjs/ladders';
import { playerEvent } from './player-event';
import type { Session } from './session';
import type { VideoWatch } from '../video/video-watch';

export interface RecorderOptions {
  player: MediaPlayerClass;
  video: HTMLVideoElement;
  session: Session;
  ladders: Ladders;
  watch: Pick<VideoWatch, 'frames' | 'playing'>;
  manifestUrl: string;
  /** BaseURLs of the manifest, unresolved. */
  onBaseUrls: (urls: string[]) => void;
}

/** A rung on screen; it belongs to its own period until the first rung of the next period is shown. */
interface Rendered {
  rung: number;
  bitrateBps: number;
}

/** Records the displayed stream: the manifest's ladders, rendered switches and the player's state. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #rendered = new Map<MediaType, Rendered>();

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { player } = options;
    // A preloaded period is initialized while the previous one still plays.
    player.on(DashEvent.streamInitialized, (event) => {
      this.#learn(event.streamInfo.id);
      this.#onStream();
    });
    player.on(DashEvent.periodSwitchCompleted, () => this.#onStream());
    player.on(DashEvent.trackChangeRendered, () => this.#onStream());
    player.on(DashEvent.qualityChangeRendered, (event) => this.#onRendered(event));
    player.on(DashEvent.baseUrlsUpdated, (event) =>
      options.onBaseUrls(event.baseUrls.map((one) => one.url)),
    );
  }

  /** Rendered rung; -1 before the first frame. */
  rung(mediaType: MediaType): number {
    return this.#rendered.get(mediaType)?.rung ?? -1;
  }

  bitrateBps(mediaType: MediaType): number {
    return this.#rendered.get(mediaType)?.bitrateBps ?? 0;
  }

  /** The buffer of each media type of the stream. */
  buffersMs(): PerMedia<number> {
    const { ladders, player } = this.#options;
    return Object.fromEntries(
      ladders.all().map(({ mediaType }) => [mediaType, bufferMsOf(player, mediaType)]),
    );
  }

  /** Undefined on demand and before dash.js knows it. */
  liveLatencyMs(): number | undefined {
    const { ladders, player } = this.#options;
    if (ladders.all().length === 0 || !isDynamic(player)) return undefined;
    const latencyMs = (finite(player.getCurrentLiveLatency()) ?? 0) * 1000;
    return latencyMs > 0 ? latencyMs : undefined;
  }

  recordState(): void {
    const { ladders, session, video, watch } = this.#options;
    if (!session.open || ladders.all().length === 0) return;
    session.emit(
      playerEvent(video.currentTime, this.buffersMs(), this, watch, this.liveLatencyMs()),
    );
  }

  #learn(periodId: string | null): void {
    if (periodId === null) return;
    for (const type of MEDIA_TYPES) {
      const { ladders, player } = this.#options;
      ladders.learn(type, player.getRepresentationsByType(type, periodId));
    }
  }

  #onStream(): void {
    const { ladders, manifestUrl, player, session } = this.#options;
    const changed = MEDIA_TYPES.filter((type) =>
      ladders.update(type, player.getRepresentationsByType(type)),
    );
    if (changed.length === 0) return;
    const dynamic = isDynamic(player);
    const lengthMs = durationMs(player) ?? 0;
    session.emit({
      type: 'manifest',
      url: manifestUrl,
      kind: dynamic ? 'dynamic' : 'static',
      ...(dynamic || lengthMs <= 0 ? {} : { durationMs: lengthMs }),
      ladders: ladders.all(),
    });
  }

  #onRendered(event: { mediaType: string; newRepresentation: Representation }): void {
    const { ladders, session } = this.#options;
    const { mediaType } = event;
    if (!isMediaType(mediaType)) return;
    const before = this.#rendered.get(mediaType);
    const { bandwidth: bitrateBps } = event.newRepresentation;
    const toRung = ladders.rungOf(mediaType, event.newRepresentation);
    this.#rendered.set(mediaType, { rung: toRung, bitrateBps });
    if (!before || (before.rung === toRung && before.bitrateBps === bitrateBps)) return;
    session.emit({
      type: 'switch',
      mediaType,
      fromRung: before.rung,
      toRung,
      fromBitrateBps: before.bitrateBps,
      toBitrateBps: bitrateBps,
    });
  }
}
