import type { Ladder, MediaType } from '../../core';
import { shakaLadders } from '../../player';
import type { MultipathCore } from '../embed-core';
import { allowedVariants } from './shaka-restrictions';
import type {
  ShakaAbrConfiguration,
  ShakaAbrManager,
  ShakaSwitch,
  ShakaVariant,
} from './shaka-types';
import { ShakaView } from './shaka-view';

/** Our own choices are looked for this often while nothing is downloaded. */
const SUGGEST_PERIOD_MS = 500;

/** Ladders of what may be chosen. */
export function laddersOfVariants(variants: readonly ShakaVariant[]): Ladder[] {
  return shakaLadders(
    variants.map(({ video, audio }) => ({
      videoId: video?.id ?? null,
      originalVideoId: video?.originalId ?? null,
      videoBandwidth: video?.bandwidth ?? null,
      videoCodec: video?.codecs ?? null,
      width: video?.width ?? null,
      height: video?.height ?? null,
      audioId: audio?.id ?? null,
      originalAudioId: audio?.originalId ?? null,
      audioBandwidth: audio?.bandwidth ?? null,
      audioCodec: audio?.codecs ?? null,
    })),
  );
}

const idOf = (stream: ShakaVariant['video']): string | undefined =>
  stream ? (stream.originalId ?? String(stream.id)) : undefined;

/** The variant of a video rung whose audio is nearest to what was chosen, the lower one first. */
export function pickVariant(
  variants: readonly ShakaVariant[],
  videoId: string | undefined,
  audioBps: number,
): ShakaVariant | undefined {
  const distance = ({ audio }: ShakaVariant): number => {
    const overBps = (audio?.bandwidth ?? 0) - audioBps;
    return overBps > 0 ? Number.MAX_SAFE_INTEGER / 2 + overBps : -overBps;
  };
  return variants
    .filter(({ video }) => idOf(video) === videoId)
    .reduce<ShakaVariant | undefined>(
      (best, one) => (best && distance(best) <= distance(one) ? best : one),
      undefined,
    );
}

/** Shaka's AbrManager with our choice wherever the core has an opinion, and Shaka's own manager elsewhere. */
export class MultipathAbrManager implements ShakaAbrManager {
  readonly #core: MultipathCore;
  readonly #fallback: ShakaAbrManager;
  readonly #onVariants: (ladders: Ladder[]) => void;
  readonly #view = new ShakaView();
  #variants: readonly ShakaVariant[] = [];
  /** Those that Shaka's settings allow now. */
  #allowed: readonly ShakaVariant[] = [];
  #ladders: readonly Ladder[] = [];
  #config: ShakaAbrConfiguration | undefined;
  #switch: ShakaSwitch | undefined;
  #enabled = false;
  #current: ShakaVariant | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    core: MultipathCore,
    fallback: ShakaAbrManager,
    onVariants: (ladders: Ladder[]) => void,
  ) {
    this.#core = core;
    this.#fallback = fallback;
    this.#onVariants = onVariants;
  }

  init(onSwitch: ShakaSwitch, onDisableStream: (...args: never[]) => unknown): void {
    this.#switch = onSwitch;
    this.#timer ??= setInterval(() => this.#suggest(), SUGGEST_PERIOD_MS);
    this.#fallback.init((variant, ...rest) => {
      if (this.#core.trusted()) return;
      this.#current = variant;
      onSwitch(variant, ...rest);
    }, onDisableStream);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#enabled = false;
    this.#switch = undefined;
    this.#view.attach(null);
    this.#fallback.stop();
  }

  release(): void {
    clearInterval(this.#timer);
    this.#fallback.release();
  }

  enable(): void {
    this.#enabled = true;
    this.#fallback.enable();
  }

  disable(): void {
    this.#enabled = false;
    this.#fallback.disable();
  }

  chooseVariant(preferFastSwitching?: boolean): ShakaVariant {
    const chosen = this.#choose() ?? this.#fallback.chooseVariant(preferFastSwitching);
    this.#current = chosen;
    return chosen;
  }

  trySuggestStreams(): void {
    if (this.#core.trusted()) this.#suggest();
    else this.#fallback.trySuggestStreams();
  }

  segmentDownloaded(
    deltaTimeMs: number,
    numBytes: number,
    allowSwitch: boolean,
    request?: object,
    context?: object,
  ): void {
    this.#fallback.segmentDownloaded(deltaTimeMs, numBytes, allowSwitch, request, context);
    if (allowSwitch) this.#suggest();
  }

  getBandwidthEstimate(): number {
    return this.#core.trusted()?.rateBps ?? this.#fallback.getBandwidthEstimate();
  }

  setVariants(variants: ShakaVariant[], isLowLatency: boolean): boolean {
    this.#variants = variants;
    this.#offer();
    return this.#fallback.setVariants(variants, isLowLatency);
  }

  playbackRateChanged(rate: number): void {
    this.#fallback.playbackRateChanged(rate);
  }

  setMediaElement(element: HTMLMediaElement | null): void {
    this.#view.attach(element);
    this.#fallback.setMediaElement(element);
  }

  setCmsdManager(manager: object | null): void {
    this.#fallback.setCmsdManager(manager);
  }

  configure(config: ShakaAbrConfiguration): void {
    this.#config = config;
    this.#offer();
    this.#fallback.configure(config);
  }

  /** The settings change, and so does the size of the element. */
  #offer(): void {
    const before = this.#allowed;
    const view = this.#view.limit(this.#config);
    const allowed = allowedVariants(this.#variants, this.#config?.restrictions, view);
    this.#allowed = allowed;
    if (allowed.length === before.length && allowed.every((one, at) => one === before[at])) return;
    const ladders = laddersOfVariants(allowed);
    this.#ladders = ladders;
    this.#onVariants(ladders);
  }

  #suggest(): void {
    if (!this.#enabled || !this.#switch) return;
    const chosen = this.#choose();
    if (!chosen || chosen === this.#current) return;
    this.#current = chosen;
    this.#switch(chosen, this.#config?.clearBufferSwitch, this.#config?.safeMarginSwitch);
  }

  #choose(): ShakaVariant | undefined {
    this.#offer();
    const video = this.#rung('video');
    const audio = this.#rung('audio');
    if (!video && !audio) return undefined;
    return pickVariant(
      this.#allowed,
      video?.representationId ?? idOf(this.#current?.video ?? null),
      audio?.bitrateBps ?? this.#current?.audio?.bandwidth ?? Infinity,
    );
  }

  #rung(mediaType: MediaType): Ladder['rungs'][number] | undefined {
    const ladder = this.#ladders.find((one) => one.mediaType === mediaType);
    if (!ladder) return undefined;
    const choice = this.#core.decide(mediaType);
    return choice && ladder.rungs[choice.rung];
  }
}
