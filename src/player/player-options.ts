import type { MediaPlayerClass, MediaPlayerSettingClass } from 'dashjs';
import type { MediaChoice, NetworkWish } from '../core';
import type { LogSink, Player, Transport } from '../ports';
import type { EndEvent } from '../session-log';
import type { AbrChoice } from './dashjs/dash-settings';
import type { FetchChoice } from './requests/gateway-route';
import type { NetworkMemory } from './session/network-memory';

export interface MultipathPlayerOptions extends MediaChoice {
  video: HTMLVideoElement;
  /** Source of path data; default none, which the player reports. The caller closes it. */
  transport?: Transport | undefined;
  /** Destination of logged events; the caller closes it after `destroy`. */
  logSink?: LogSink | undefined;
  /** The rules that choose the rung; default `multipath`. */
  abr?: AbrChoice | undefined;
  /**
   * Feeds the path forecast to dash.js's own rules as well; default true. Without it, a rule of dash.js plays
   * unchanged: this player only observes, and neither chooses, abandons, repairs nor repeats anything.
   */
  correction?: boolean | undefined;
  /**
   * Path policy by name (`pathPolicies`). Default: `model` with `abr: 'multipath'`, `all` over byte ranges. With one of dash.js's
   * rules there is none, and the paths keep the kernel's states.
   */
  policy?: string | undefined;
  /** The policy's own settings. */
  policyConfig?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Fetches the media; default `auto`: the gateway of the agent or of Electron, over every network, if it exists
   * and MPTCP does not already use them.
   */
  fetch?: FetchChoice | undefined;
  /** Known facts of the networks: their cost, and the bytes they may carry. */
  networks?: readonly NetworkWish[] | undefined;
  /**
   * Storage in which the player remembers the rates of networks for an hour, so that the next stream starts with them.
   * Default: this origin's `localStorage`; false: nowhere.
   */
  memory?: NetworkMemory | false | undefined;
  /** Media to keep ahead, 1000 to 600000; default dash.js's own (18 s, more at the top rung). */
  bufferTargetMs?: number | undefined;
  /** The element that shows TTML subtitles, above the video; default none. WebVTT needs none. */
  textContainer?: HTMLDivElement | undefined;
  /** dash.js settings, applied last. */
  settings?: MediaPlayerSettingClass | undefined;
  /** Added to the log's first line: facts that a reader of this run needs. */
  logSettings?: Record<string, unknown> | undefined;
}

export interface DashPlayer extends Player {
  /** @param reason for the log's last line; by default derived from the session's events */
  destroy(reason?: EndEvent['reason']): void;
  /** The underlying dash.js player, for features outside this interface. */
  readonly dash: MediaPlayerClass;
}
