import type { MediaPlayerClass } from 'dashjs';
import { applyMediaOptions, attachToDash, createDashPlayer, loadPolicy } from '../player';
import type { DashOptions } from './dash-options';
import { embed, type Multipath } from './embed';
import { PlayerError, type PlayerErrorCode } from './errors';

/** A dash.js player that knows the paths under the stream. */
export interface MultipathPlayer extends Multipath {
  /**
   * Begins the session; call it once. Resolves when the stream's qualities are known.
   * Rejects with a `PlayerError` where it cannot be played; an `error` event reports the same. Rejects with an `OptionError`
   * where the address is none.
   */
  load(url: string): Promise<void>;
  play(): void;
  pause(): void;
  /** The dash.js player inside, for what this interface does not offer. */
  readonly dash: MediaPlayerClass;
}

/**
 * Makes a dash.js player of its own. Play one stream, then make a new one. Loads dash.js, and the policy's code where
 * it comes on demand, so that importing this package loads neither.
 * Rejects with an `OptionError` naming the option that is wrong.
 *
 * @example
 * ```ts
 * import { createMultipathPlayer } from '@multipath-dash/sdk';
 *
 * const video = document.querySelector('video')!;
 * const player = await createMultipathPlayer({ video });
 * player.on('stall', ({ phase }) => console.log('stall', phase));
 * await player.load('https://media.example/stream.mpd');
 * player.play();
 * ```
 */
export async function createMultipathPlayer(options: DashOptions): Promise<MultipathPlayer> {
  const dash = import('dashjs');
  // Without a DOM it fails, and the message about the options is more useful.
  dash.catch(() => 0);
  const { checkAddress, checkDashOptions } = await import('./dash-options');
  checkDashOptions(options);
  const { MediaPlayer } = await dash;
  const { inner, multipath } = await build(MediaPlayer().create(), options, createDashPlayer);
  return {
    ...multipath,
    dash: inner.dash,
    play: () => inner.play(),
    pause: () => inner.pause(),
    load: (url) =>
      new Promise((resolve, reject) => {
        checkAddress(url);
        const fail = (code: string, message: string): void =>
          reject(new PlayerError(code as PlayerErrorCode, message));
        const settle = inner.subscribe((event) => {
          if (event.type === 'manifest') resolve();
          else if (event.type === 'error' && event.fatal) fail(event.code, event.message);
          // A listener may destroy the player as it hears the error, which this one hears next.
          else if (event.type === 'end')
            queueMicrotask(() => fail('player', `The session ended: ${event.reason}.`));
          else return;
          settle();
        });
        inner.load(url);
      }),
  };
}

/**
 * Adds path-aware adaptation to a dash.js player that you drive: `destroy` ends it, puts back the settings that it
 * changed and leaves dash.js running. Call it once a player, before dash.js is initialized: it takes custom rules only
 * before.
 * Rejects with an `OptionError` naming the option that is wrong.
 *
 * @example
 * ```ts
 * import { MediaPlayer } from 'dashjs';
 * import { attach } from '@multipath-dash/sdk';
 *
 * const video = document.querySelector('video')!;
 * const mediaPlayer = MediaPlayer().create();
 * const multipath = await attach(mediaPlayer, { video });
 * multipath.on('switch', ({ toBitrateBps }) => console.log(toBitrateBps));
 * mediaPlayer.initialize(video, 'https://media.example/stream.mpd', true);
 * ```
 */
export async function attach(
  mediaPlayer: MediaPlayerClass,
  options: DashOptions,
): Promise<Multipath> {
  const { attachOnce, checkDashOptions } = await import('./dash-options');
  checkDashOptions(options);
  return attachOnce(
    mediaPlayer,
    async (dash) => (await build(dash, options, attachToDash)).multipath,
  );
}

/** Builds a player on a dash.js. Whatever code loads on demand comes first, so that a failure leaves nothing behind. */
async function build(
  dash: MediaPlayerClass,
  options: DashOptions,
  create: typeof createDashPlayer,
): Promise<ReturnType<typeof embed<ReturnType<typeof createDashPlayer>>>> {
  const { cmcd, policy = '' } = options;
  await loadPolicy(policy);
  await applyMediaOptions(dash, options);
  const addKeys = cmcd ? (await import('./cmcd')).enableCmcd(dash, cmcd) : undefined;
  const { inner, multipath } = embed(options, (connected) =>
    create(dash, { ...options, ...connected }),
  );
  return { inner, multipath: addKeys?.(multipath) ?? multipath };
}
