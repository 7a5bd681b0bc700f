import { mergeNetworks, type AppBridge, type ClosingReason, type LaunchInfo } from '../../ipc';
import {
  connectBridge,
  createMultipathPlayer,
  mountPanel,
  type AbrChoice,
  type LogEvent,
} from '../../sdk';

export interface StageOptions {
  bridge: AppBridge;
  video: HTMLVideoElement;
  panel: HTMLElement;
  /** How to decide; what the viewer chooses in the panel takes its place. */
  decision: LaunchInfo['decision'];
  onEvent: (event: LogEvent) => void;
  onProblem: (text: string) => void;
}

export interface StreamToPlay {
  url: string;
  label: string;
  abr: AbrChoice;
}

/** The video and what plays in it: one player, feed and log for each stream. */
export class Stage {
  readonly #options: StageOptions;
  #decision: LaunchInfo['decision'];
  #close: ((reason?: ClosingReason) => Promise<void>) | undefined;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#decision = options.decision;
  }

  /** Something of ours decides about the paths of a stream played by this rule. */
  steers(abr: AbrChoice): boolean {
    return abr === 'multipath' || this.#decision.correction || this.#decision.policy !== undefined;
  }

  /** Plays a stream main has been told of. */
  async play({ url, label, abr }: StreamToPlay): Promise<void> {
    const { bridge, video, panel: host, onEvent, onProblem } = this.#options;
    const connection = await connectBridge(bridge.feed, onProblem);
    const { transport, logSink } = connection;
    const logSettings = { app: 'electron', source: label };
    const player = createMultipathPlayer({
      ...this.#decision,
      video,
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
    this.#close = async (reason) => {
      panel.unmount();
      player.destroy(reason);
      await connection.close();
    };
    player.load(url);
    player.play();
  }

  /** Ends what plays; all of its log is on its way to main when this resolves. */
  async end(reason?: ClosingReason): Promise<void> {
    const close = this.#close;
    this.#close = undefined;
    await close?.(reason);
  }
}
