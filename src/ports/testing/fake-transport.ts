import type { TransportStatus } from '../../core';
import type { Transport, TransportMessage } from '../transport';
import { createTransportHub } from '../transport-hub';

export interface FakeTransport extends Transport {
  /** Delivers a message of a real transport. */
  emit(message: TransportMessage): void;
  /** Advances the feed's clock. */
  setNowMs(nowMs: number): void;
  /** The last argument of `watch`. */
  readonly watched: readonly string[];
  readonly closed: boolean;
}

/** The in-memory Transport for tests. */
export function createFakeTransport(
  initialStatus: TransportStatus = { state: 'idle', reason: 'No connection to the media yet.' },
): FakeTransport {
  const hub = createTransportHub(initialStatus);
  let now = 0;
  let watched: readonly string[] = [];
  return {
    nowMs: () => now,
    setNowMs(nowMs) {
      now = nowMs;
    },
    subscribe: (listener) => hub.subscribe(listener),
    watch(origins) {
      watched = [...origins];
    },
    close() {
      hub.publish({ type: 'closed', reason: 'The transport was closed.' });
    },
    emit(message) {
      hub.publish(message);
    },
    get watched() {
      return watched;
    },
    get closed() {
      return hub.closed;
    },
  };
}
