import type { Page } from 'playwright-core';
import type { LabNetwork, MediaServer } from '../../lab';
import { isLinkEvent, type Scenario, type ServerEvent, type TimelineEvent } from '../../scenario';
import { killPart, setPageClock, suspendPlayer } from './player-faults';

/** The parts on which a timeline acts. Without a player in it, events of the player are refused. */
export interface EventTargets {
  network: Pick<LabNetwork, 'apply'>;
  server: Pick<MediaServer, 'down' | 'up' | 'faults'>;
  page?: Page | undefined;
}

/** nginx answers correctly only. */
export const needsFaultyServer = ({ events }: Pick<Scenario, 'events'>): boolean =>
  events.some(({ kind }) => kind === 'server-answer');

async function applyToServer(event: ServerEvent, server: EventTargets['server']): Promise<void> {
  switch (event.kind) {
    case 'server-state':
      await server[event.state]();
      break;
    case 'server-answer':
      server.faults?.add(new RegExp(event.match ?? ''), event.fault, event.times, event.id);
      break;
    case 'server-mended':
      server.faults?.mend(event.id);
  }
}

/** Makes one event of a scenario's timeline happen. */
export async function applyEvent(
  event: TimelineEvent,
  { network, server, page }: EventTargets,
): Promise<void> {
  if (isLinkEvent(event)) return network.apply(event);
  switch (event.kind) {
    case 'kill':
      killPart(event.part);
      break;
    case 'suspend':
      suspendPlayer(event.part, event.durationMs);
      break;
    case 'clock':
      await setPageClock(page, event.aheadMs);
      break;
    default:
      await applyToServer(event, server);
  }
}
