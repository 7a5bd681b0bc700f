import type { BrainDecision } from '../../brain';
import type { CarriageReport, MediaType, TransportStatus } from '../../core';
import type { PlayerSnapshot, TransportMessage } from '../../ports';

/** Facts about the stream that the player shows. */
export interface PlayerFacts {
  status: TransportStatus;
  /** Absent before the feed reports one. */
  carriage?: CarriageReport;
  /** The reason of the last path decision. */
  pathReason: string;
  lastDecision?: PlayerSnapshot['lastDecision'];
}

export const initialFacts: PlayerFacts = {
  status: { state: 'no-feed', reason: '' },
  pathReason: '',
};

/** The facts after a message of the feed. */
export function factsAfterMessage(facts: PlayerFacts, message: TransportMessage): PlayerFacts {
  switch (message.type) {
    case 'status':
      return { ...facts, status: message.status };
    case 'carriage':
      return { ...facts, carriage: message.report };
    case 'closed':
      return { ...facts, status: { state: 'no-feed', reason: message.reason } };
    case 'samples':
    case 'path':
    case 'path-control':
      return facts;
  }
}

/** Returns true if a decision was made for the paths, not for a segment that dash.js asked about. */
export const isPathDecision = ({ trigger }: BrainDecision): boolean =>
  trigger === 'tick' || trigger === 'path-event';

/** The facts after a decision about a rung. Audio decisions are not shown. */
export function factsAfterRung(
  facts: PlayerFacts,
  { mediaType, reason, toRung }: { mediaType: MediaType; reason: string; toRung: number },
): PlayerFacts {
  return mediaType === 'video' ? { ...facts, lastDecision: { reason, toRung } } : facts;
}
