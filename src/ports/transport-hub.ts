import type { TransportStatus } from '../core';
import type { TransportListener, TransportMessage } from './transport';

export interface TransportHub {
  /** Notifies every listener under the Transport contract. */
  publish(message: TransportMessage): void;
  /**
   * A new listener first gets the current status and the last report of path control; after the end it gets
   * status and `closed`.
   */
  subscribe(listener: TransportListener): () => void;
  /** The last status published. */
  status(): TransportStatus;
  readonly closed: boolean;
}

/**
 * The listeners' side of every Transport. It replays the current status to a new listener and drops a batch
 * whose time does not advance. It isolates listeners from each other and ends with one `closed`.
 * @param initialStatus status before the first published one
 * @param onListenerError gets errors of listeners; dropped by default
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
  let carriage: TransportMessage | undefined;

  const notify = (listener: TransportListener, message: TransportMessage): void => {
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
      if (message.type === 'carriage') carriage = message;
      if (message.type === 'closed') end = message;
      for (const [key, listener] of [...listeners]) {
        if (listeners.has(key)) notify(listener, message);
      }
      if (end) listeners.clear();
    },
    subscribe(listener) {
      const key = Symbol('subscription');
      if (!end) listeners.set(key, listener);
      notify(listener, { type: 'status', status });
      if (control && !end) notify(listener, control);
      if (carriage && !end) notify(listener, carriage);
      if (end) notify(listener, end);
      return () => listeners.delete(key);
    },
    status: () => status,
    get closed() {
      return end !== undefined;
    },
  };
}
