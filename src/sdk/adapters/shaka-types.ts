/**
 * The part of Shaka Player 5 that the adapter uses. Its own declarations are global namespaces, which would force
 * themselves on everybody who imports this package.
 */

export interface ShakaStream {
  id: number;
  originalId: string | null;
  bandwidth?: number;
  codecs: string;
  width?: number;
  height?: number;
  frameRate?: number;
  channelsCount?: number | null;
}

export interface ShakaVariant {
  id: number;
  bandwidth: number;
  video: ShakaStream | null;
  audio: ShakaStream | null;
}

/** `shaka.extern.Restrictions`. */
export interface ShakaRestrictions {
  minBandwidth: number;
  maxBandwidth: number;
  minHeight: number;
  maxHeight: number;
  minWidth: number;
  maxWidth: number;
  minPixels: number;
  maxPixels: number;
  minFrameRate: number;
  maxFrameRate: number;
  minChannelsCount: number;
  maxChannelsCount: number;
}

export interface ShakaAbrConfiguration {
  restrictions: ShakaRestrictions;
  restrictToElementSize: boolean;
  restrictToScreenSize: boolean;
  ignoreDevicePixelRatio: boolean;
  clearBufferSwitch: boolean;
  safeMarginSwitch: number;
}

export type ShakaSwitch = (
  variant: ShakaVariant,
  clearBuffer?: boolean,
  safeMargin?: number,
) => unknown;

/** `shaka.extern.AbrManager`. */
export interface ShakaAbrManager {
  init(onSwitch: ShakaSwitch, onDisableStream: (...args: never[]) => unknown): unknown;
  stop(): unknown;
  release(): unknown;
  trySuggestStreams(): unknown;
  chooseVariant(preferFastSwitching?: boolean): ShakaVariant;
  enable(): unknown;
  disable(): unknown;
  segmentDownloaded(
    deltaTimeMs: number,
    numBytes: number,
    allowSwitch: boolean,
    request?: object,
    context?: object,
  ): unknown;
  getBandwidthEstimate(): number;
  setVariants(variants: ShakaVariant[], isLowLatency: boolean): boolean;
  playbackRateChanged(rate: number): unknown;
  setMediaElement(element: HTMLMediaElement | null): unknown;
  setCmsdManager(manager: object | null): unknown;
  configure(config: ShakaAbrConfiguration): unknown;
}

/** `shaka.extern.RequestFilter`. */
export type ShakaRequestFilter = (type: number, request: object, context?: object) => undefined;

/** A `shaka.Player`. */
export interface ShakaPlayer {
  configure(config: object): boolean;
  getConfiguration(): {
    abrFactory: () => unknown;
    streaming: { bufferingGoal: number };
  };
  getNetworkingEngine(): {
    registerRequestFilter(filter: ShakaRequestFilter): void;
    unregisterRequestFilter(filter: ShakaRequestFilter): void;
  } | null;
  getBufferedInfo(): Record<'audio' | 'video', readonly { start: number; end: number }[]>;
  isLive(): boolean;
  seekRange(): { start: number; end: number };
  getAssetUri(): string | null;
  addEventListener(type: string, listener: (event: Event) => void): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
}
