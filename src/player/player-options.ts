import type { MediaPlayerClass, MediaPlayerSettingClass } from 'dashjs';
import type { LogSink, NetworkWish, Player, Transport } from '../ports';
import type { EndEvent } from '../qoe';
import type { AbrChoice } from './dash-settings';
import type { NetworkMemory } from './network-memory';

export interface MultipathPlayerOptions {
  video: HTMLVideoElement;
  /** Where path data comes from; default none, and the player says so. It stays the caller's to close. */
  transport?: Transport;
  /** Where events are logged; it stays the caller's to close, after `destroy`. */
  logSink?: LogSink;
  /** Which rules choose the rung; default `multipath`. */
  abr?: AbrChoice;
  /**
   * Feeds the path forecast to dash.js's own rules as well; default true. Without it a rule of dash.js's plays
   * as dash.js comes, only watched: nothing of ours chooses, gives up, mends or repeats anything.
   */
  correction?: boolean;
  /**
   * Path policy by name (`pathPolicies`). Default: `model` with `abr: 'multipath'`; with one of dash.js's rules
   * none, and the paths stay as the kernel has them.
   */
  policy?: string | undefined;
  /** The policy's own settings. */
  policyConfig?: Readonly<Record<string, unknown>> | undefined;
  /** What is known of the networks: which cost, how much they may carry. */
  networks?: readonly NetworkWish[] | undefined;
  /**
   * Where the player remembers for an hour what networks carried, so that the next stream starts with it. Default: this
   * origin's `localStorage`; false: nowhere.
   */
  memory?: NetworkMemory | false | undefined;
  /** Media to keep ahead, 1000 to 600000; default dash.js's own (18 s, more at the top rung). */
  bufferTargetMs?: number | undefined;
  /** dash.js settings, applied last. */
  settings?: MediaPlayerSettingClass;
  /** Added to the log's first line: whatever the reader should know about this run. */
  logSettings?: Record<string, unknown>;
}

export interface MultipathPlayer extends Player {
  /** @param reason for the log's last line; by default told from what happened */
  destroy(reason?: EndEvent['reason']): void;
  /** The dash.js player inside, for what this interface does not offer. */
  readonly dash: MediaPlayerClass;
}
