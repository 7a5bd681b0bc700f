import type { TransportStatus } from '../core';
import type { TransportListener, TransportMessage } from './transport';

export interface TransportHub {
  /** Tells every listener, keeping the promises of the Transport contract. */
  publish(message: TransportMessage): void;
  /** The new listener first gets the current status and the last report of path control; after the end it gets status and `closed`. */
  subscribe(listener: TransportListener): () => void;
  /** The last status published. */
  status(): TransportStatus;
  readonly closed: boolean;
}

/**
 * The listeners' side of every Transport: replays the current status to a new listener, keeps a batch
 * out whose time does not advance, lets no listener silence another, and ends with one `closed`.
 * @param initialStatus what a listener hears before the first status is published
 * @param onListenerError gets what a listener threw; by default it is dropped
 */
export function createTransportHub(
  initialStatus: TransportStatus,
  onListenerError: (error: unknown) => void = () => undefined,
): TransportHub {
  // Each subscription is its own key: one function may subscribe twice.
  const listeners = new Map<symbol, TransportListener>();
  let status = initialStatus;
  let lastBatchMs = -1;
  let end: TransportMessage | undefined;
  let control: TransportMessage | undefined;

  const tell = (listener: TransportListener, message: TransportMessage): void => {
    try {
      listener(message);
    } catch (error) {
      onListenerError(error);
    }
  };

  return {
    publish(message) {
      if (end) return;
      if (message.type === 'samples') {
        if (message.batch.monotonicMs <= lastBatchMs) return;
        lastBatchMs = message.batch.monotonicMs;
      }
      if (message.type === 'status') status = message.status;
      if (message.type === 'path-control') control = message;
      if (message.type === 'closed') end = message;
      for (const [key, listener] of [...listeners]) {
        if (listeners.has(key)) tell(listener, message);
      }
      if (end) listeners.clear();
    },
    subscribe(listener) {
      const key = Symbol('subscription');
      if (!end) listeners.set(key, listener);
      tell(listener, { type: 'status', status });
      if (control && !end) tell(listener, control);
      if (end) tell(listener, end);
      return () => listeners.delete(key);
    },
    status: () => status,
    get closed() {
      return end !== undefined;
    },
  };
}
