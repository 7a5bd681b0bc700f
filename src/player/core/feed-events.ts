import type { TransportMessage } from '../../ports';
import type { NewEvent } from '../session/session';

/**
 * The log's events for a message from the feed.
 * @param player who chooses the rung when the feed has ended
 */
export function feedEvents(message: TransportMessage, player: string): NewEvent[] {
  switch (message.type) {
    case 'path-control':
      return [{ type: 'path-control', report: message.report }];
    case 'status':
      return [{ type: 'status', status: message.status }];
    case 'samples': {
      const { batch } = message;
      return [{ type: 'samples', monotonicMs: batch.monotonicMs, batch }];
    }
    case 'path': {
      const { event } = message;
      return [{ type: 'path', monotonicMs: event.monotonicMs, event }];
    }
    case 'carriage':
      // Without the gateway's address, which is a secret.
      return [{ type: 'carriage', report: message.report }];
    case 'closed': {
      const { reason } = message;
      const text = `${reason} The rung is now chosen by ${player}'s own measurements.`;
      return [
        { type: 'status', status: { state: 'no-feed', reason } },
        { type: 'error', code: 'feed-closed', message: text, fatal: false },
      ];
    }
  }
}
