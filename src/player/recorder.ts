import type { MediaPlayerClass, Representation } from 'dashjs';
import type { MediaType } from '../core';
import { DashEvent, finite, isMediaType } from './dash-types';
import type { Ladders } from './ladders';
import type { Session } from './session';
import type { VideoWatch } from './video-watch';

export interface RecorderOptions {
  player: MediaPlayerClass;
  video: HTMLVideoElement;
  session: Session;
  ladders: Ladders;
  watch: Pick<VideoWatch, 'frames' | 'playing'>;
  manifestUrl: string;
  /** BaseURLs of the manifest, as they stand in it. */
  onBaseUrls: (urls: string[]) => void;
}

/** A rung on screen; it keeps its bit rate when a new period brings another ladder. */
interface Rendered {
  representationId: string;
  rung: number;
  bitrateBps: number;
}

/** Records what is shown: the manifest's ladders, rendered switches and the player's state. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #rendered = new Map<MediaType, Rendered>();

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { player } = options;
    player.on(DashEvent.streamInitialized, () => this.#onStream());
    // A period that was preloaded is initialized while the one before it still plays.
    player.on(DashEvent.periodSwitchCompleted, () => this.#onStream());
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

  bufferMs(mediaType: MediaType): number {
    return Math.max(0, (finite(this.#options.player.getBufferLength(mediaType)) ?? 0) * 1000);
  }

  /** Of the lesser of video and audio. */
  leastBufferMs(): number {
    const types = this.#options.ladders.all().map((ladder) => ladder.mediaType);
    return types.length === 0 ? 0 : Math.min(...types.map((type) => this.bufferMs(type)));
  }

  recordState(): void {
    const { ladders, session, video, watch } = this.#options;
    if (!session.open || ladders.all().length === 0) return;
    const frames = watch.frames();
    session.emit({
      type: 'player',
      positionMs: Math.max(0, video.currentTime * 1000),
      bufferMs: this.leastBufferMs(),
      ...(ladders.of('video') ? { videoBufferMs: this.bufferMs('video') } : {}),
      ...(ladders.of('audio')
        ? { audioBufferMs: this.bufferMs('audio'), audioBitrateBps: this.bitrateBps('audio') }
        : {}),
      playing: watch.playing,
      rung: this.rung('video'),
      bitrateBps: this.bitrateBps('video'),
      decodedFrames: frames.decoded,
      droppedFrames: frames.dropped,
    });
  }

  #onStream(): void {
    const { ladders, manifestUrl, player, session } = this.#options;
    const changed = (['video', 'audio'] as const).filter((type) =>
      ladders.update(type, player.getRepresentationsByType(type)),
    );
    if (changed.length === 0) return;
    for (const [type, shown] of this.#rendered) {
      this.#rendered.set(type, { ...shown, rung: ladders.rungOf(type, shown.representationId) });
    }
    const dynamic = player.isDynamic();
    const durationMs = (finite(player.duration()) ?? 0) * 1000;
    session.emit({
      type: 'manifest',
      url: manifestUrl,
      kind: dynamic ? 'dynamic' : 'static',
      ...(dynamic || durationMs <= 0 ? {} : { durationMs }),
      ladders: ladders.all(),
    });
  }

  #onRendered(event: { mediaType: string; newRepresentation: Representation }): void {
    const { ladders, session } = this.#options;
    const { mediaType } = event;
    if (!isMediaType(mediaType)) return;
    const before = this.#rendered.get(mediaType);
    const { id: representationId, bandwidth: bitrateBps } = event.newRepresentation;
    const toRung = ladders.rungOf(mediaType, representationId);
    this.#rendered.set(mediaType, { representationId, rung: toRung, bitrateBps });
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
