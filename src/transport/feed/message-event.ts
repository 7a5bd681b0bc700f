import type { TransportMessage } from '../../ports';
import type { LogEvent } from '../../session-log';

type Logged = Exclude<TransportMessage, { type: 'closed' | 'path-control' }>;

/** The log's event for a message of the transport. */
export function messageEvent(message: Logged, nowMs: number): LogEvent {
  switch (message.type) {
    case 'status':
      return { type: 'status', monotonicMs: nowMs, status: message.status };
    case 'carriage': {
      // Without the gateway's address, which is a secret.
      const { report, chunks = [] } = message;
      const carried = chunks.length === 0 ? {} : { chunks };
      return { type: 'carriage', monotonicMs: nowMs, report, ...carried };
    }
    case 'samples': {
      const { batch } = message;
      return { type: 'samples', monotonicMs: batch.monotonicMs, batch };
    }
    case 'path': {
      const { event } = message;
      return { type: 'path', monotonicMs: event.monotonicMs, event };
    }
  }
}
