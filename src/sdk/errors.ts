/**
 * Stable codes of `error` events. `dash-N`, `shaka-N` and `hls-NAME` are the player's own where ours has no better
 * one; `src/player/README.md` says what follows from each.
 */
export type PlayerErrorCode =
  | 'autoplay-blocked'
  | 'decoder'
  | 'decoder-reset'
  | 'feed-closed'
  | 'init-failed'
  | 'init-unavailable'
  | 'key-missing'
  | 'manifest-malformed'
  | 'manifest-unplayable'
  | 'manifest-unreachable'
  | 'no-gateway'
  | 'no-media-source'
  | 'picture-frozen'
  | 'play-failed'
  | 'player'
  | 'request-stuck'
  | 'segment-failed'
  | 'segment-skipped'
  | 'segment-unavailable'
  | 'segments-unavailable'
  | 'subtitles-unavailable'
  | 'time-sync'
  | 'video-unplayable'
  | `dash-${number}`
  | `shaka-${number}`
  | `hls-${string}`;

/** The stream cannot be played: `load` rejects with it. */
export class PlayerError extends Error {
  override readonly name = 'PlayerError';
  readonly code: PlayerErrorCode;

  constructor(code: PlayerErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** An option that nothing can work with; thrown before anything is built. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  /** Name of the option. */
  readonly option: string;

  constructor(option: string, message: string) {
    super(`${option}: ${message}`);
    this.option = option;
  }
}
