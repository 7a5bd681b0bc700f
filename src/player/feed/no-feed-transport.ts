import { createTransportHub, type Transport } from '../../ports';

export interface NoFeedOptions {
  /** Shown to the viewer; the default names a plain page. */
  reason?: string;
  localNowMs?: () => number;
}

/** The Transport of a plain web page: its status reports that nothing watches the network. */
export function createNoFeedTransport(options: NoFeedOptions = {}): Transport {
  const hub = createTransportHub({
    state: 'no-feed',
    reason:
      options.reason ??
      'No path data on a plain web page. Connect the agent, or use the desktop player.',
  });
  return {
    nowMs: options.localNowMs ?? (() => performance.now()),
    subscribe: (listener) => hub.subscribe(listener),
    watch() {
      // There is nothing to watch.
    },
    close() {
      hub.publish({ type: 'closed', reason: 'The player was closed.' });
    },
  };
}
