import type { LogEvent } from '../../session-log';
import type { Clock } from '../clock';
import type { Transport, TransportMessage } from '../transport';
import { createTransportHub } from '../transport-hub';

interface Recorded {
  monotonicMs: number;
  message: TransportMessage;
}

function toMessage(event: LogEvent): TransportMessage | undefined {
  switch (event.type) {
    case 'status':
      return { type: 'status', status: event.status };
    case 'samples':
      return { type: 'samples', batch: event.batch };
    case 'path':
      return { type: 'path', event: event.event };
    case 'path-control':
      return { type: 'path-control', report: event.report };
    case 'carriage':
      return { type: 'carriage', report: event.report };
    default:
      return undefined;
  }
}

/**
 * Plays the feed of a recorded session through the Transport port, at the recorded pace and on the recorded
 * time base. It starts with the first listener and closes itself after the last recorded event.
 * @param events a session's log in order; events that are not of the feed are skipped
 */
export function createReplayTransport(events: readonly LogEvent[], clock: Clock): Transport {
  const recorded: Recorded[] = [];
  for (const event of events) {
    const message = toMessage(event);
    if (message) recorded.push({ monotonicMs: event.monotonicMs, message });
  }
  const originMs = recorded[0]?.monotonicMs ?? 0;
  const hub = createTransportHub({ state: 'no-feed', reason: 'The recording has not started.' });
  let startedAtMs: number | undefined;
  let next = 0;
  let cancel: (() => void) | undefined;

  const nowMs = (): number =>
    startedAtMs === undefined ? originMs : originMs + (clock.nowMs() - startedAtMs);

  const close = (reason: string): void => {
    cancel?.();
    cancel = undefined;
    hub.publish({ type: 'closed', reason });
  };

  const advance = (): void => {
    cancel = undefined;
    // A listener may close the replay during a message.
    for (let item = recorded[next]; item && !hub.closed; item = recorded[next]) {
      const waitMs = item.monotonicMs - nowMs();
      if (waitMs > 0) {
        cancel = clock.after(waitMs, advance);
        return;
      }
      next += 1;
      hub.publish(item.message);
    }
    close('The recording ended.');
  };

  return {
    nowMs,
    subscribe(listener) {
      const unsubscribe = hub.subscribe(listener);
      if (startedAtMs === undefined && !hub.closed) {
        startedAtMs = clock.nowMs();
        cancel = clock.after(0, advance);
      }
      return unsubscribe;
    },
    watch() {
      // The watched origins are part of the recording.
    },
    close() {
      close('The replay was closed.');
    },
  };
}
