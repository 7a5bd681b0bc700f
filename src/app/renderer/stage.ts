import { startingAt, type Controls, type ViewingHistory } from '../../controls';
import { isOwnRule } from '../../core';
import { mergeNetworks, type AppBridge, type ClosingReason, type LaunchInfo } from '../../ipc';
import { connectBridge, createMultipathPlayer, type AbrChoice, type LogEvent } from '../../sdk';
import { mountPanel } from '../../sdk/panel';

export interface StageOptions {
  bridge: AppBridge;
  video: HTMLVideoElement;
  panel: HTMLElement;
  controls: Controls;
  history: ViewingHistory;
  /** Settings of decisions; the viewer's choice in the panel replaces them. */
  decision: LaunchInfo['decision'];
  media: LaunchInfo['media'];
  /** Shows TTML subtitles, above the video. */
  subtitles: HTMLDivElement;
  onEvent: (event: LogEvent) => void;
  onProblem: (text: string) => void;
}

export interface StreamToPlay {
  url: string;
  label: string;
  abr: AbrChoice;
}

/** The video and its player: one player, feed and log for each stream. */
export class Stage {
  readonly #options: StageOptions;
  #decision: LaunchInfo['decision'];
  /** The stream that is starting or plays. Its result ends it. */
  #playing: Promise<(reason?: ClosingReason) => Promise<void>> | undefined;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#decision = options.decision;
  }

  /** True if this player decides about the paths of a stream with this rule. */
  steers(abr: AbrChoice): boolean {
    return isOwnRule(abr) || this.#decision.correction || this.#decision.policy !== undefined;
  }

  /** Plays a stream already registered in the main process. */
  async play(stream: StreamToPlay): Promise<void> {
    this.#playing = this.#start(stream);
    await this.#playing;
  }

  async #start(stream: StreamToPlay): Promise<(reason?: ClosingReason) => Promise<void>> {
    const { bridge, onProblem } = this.#options;
    const connection = await connectBridge(bridge.feed, onProblem);
    try {
      const leave = await this.#playOver(connection, stream);
      return async (reason) => {
        leave(reason);
        await connection.close();
      };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** @returns ends playback */
  async #playOver(
    { transport, logSink }: Awaited<ReturnType<typeof connectBridge>>,
    { url, label, abr }: StreamToPlay,
  ): Promise<(reason?: ClosingReason) => void> {
    const { bridge, controls, history, media, subtitles, video } = this.#options;
    const { panel: host, onEvent } = this.#options;
    const logSettings = { app: 'electron', source: label };
    const player = await createMultipathPlayer({
      ...this.#decision,
      ...media,
      video,
      textContainer: subtitles,
      transport,
      logSink,
      abr,
      logSettings,
    });
    player.subscribe(onEvent);
    const panel = mountPanel(host, player, {
      onPolicy: (policy) => {
        // Settings belong to the policy they were given with.
        const { correction, networks, bufferTargetMs } = this.#decision;
        this.#decision = {
          correction,
          networks,
          ...(bufferTargetMs !== undefined && { bufferTargetMs }),
          ...(policy !== undefined && { policy }),
        };
      },
      onNetwork: (wish) => {
        const networks = mergeNetworks(this.#decision.networks, [wish]);
        this.#decision = { ...this.#decision, networks };
        void bridge.saveNetwork(wish);
      },
    });
    const leave = controls.follow(player, label);
    // An error is an event, which the listener above shows.
    player.load(startingAt(url, history.startS(label))).catch(() => undefined);
    player.play();
    return (reason) => {
      leave();
      panel.unmount();
      player.destroy(reason);
    };
  }

  /** Ends playback; when this resolves, the complete log has been sent to the main process. */
  async end(reason?: ClosingReason): Promise<void> {
    const playing = this.#playing;
    this.#playing = undefined;
    // One that could not start has ended already, and its error was shown.
    const close = await playing?.catch(() => undefined);
    await close?.(reason);
  }
}
