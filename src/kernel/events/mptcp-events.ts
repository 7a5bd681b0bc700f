import { errorText } from '../../core';
import {
  MPTCP_PM_EVENT_GROUP,
  MPTCP_PM_FAMILY,
  NetlinkBytesError,
  parseMptcpEvent,
  type MptcpEvent,
} from '../codec';
import { loadNetlink, socketOptions, type Netlink, type OnNote } from './netlink';

export interface MptcpEventsOptions {
  onEvent: (event: MptcpEvent) => void;
  onNote: OnNote;
}

export interface MptcpEvents {
  /** Resolves once events are enabled or a note gives the reason; never rejects. True if enabled. */
  start(): Promise<boolean>;
  close(): void;
}

/** Time limit of the kernel's answer. Chosen; no measurement. */
const REQUEST_TIMEOUT_MS = 2000;

/**
 * Events of the kernel's MPTCP path manager in the process's network namespace. They need CAP_NET_ADMIN;
 * without it a note reports that, and changes appear with the next sample instead.
 */
export function createMptcpEvents(options: MptcpEventsOptions): MptcpEvents {
  let socket: ReturnType<Netlink['createGenericNetlink']> | undefined;
  let closed = false;

  const note = (error: unknown): false => {
    const reason = errorText(error);
    const denied = /EPERM|EACCES|not permitted/i.test(reason);
    options.onNote({
      code: denied ? 'EVENTS_DENIED' : 'EVENTS_UNAVAILABLE',
      message: denied
        ? 'MPTCP events need CAP_NET_ADMIN; subflow changes are seen with the next sample instead'
        : `no MPTCP events (${reason}); subflow changes are seen with the next sample instead`,
    });
    return false;
  };

  const start = async (): Promise<boolean> => {
    const netlink = await loadNetlink();
    if (closed) return false;
    const events = netlink.createGenericNetlink(socketOptions);
    socket = events;
    const [family] = await events.ctrlRequest(
      netlink.genl.Commands.GET_FAMILY,
      { familyName: MPTCP_PM_FAMILY },
      { timeout: REQUEST_TIMEOUT_MS },
    );
    const group = family?.mcastGroups?.find(({ name }) => name === MPTCP_PM_EVENT_GROUP)?.id;
    if (group === undefined) throw new Error('this kernel has no mptcp_pm_events');
    // It may have been closed meanwhile.
    if (isClosed()) return false;
    events.socket.addMembership(group);
    events.socket.ref();
    events.socket.on('error', (error) =>
      options.onNote({
        code: 'EVENTS_OVERRUN',
        message: `MPTCP events were lost (${error.message})`,
      }),
    );
    events.socket.on('message', (messages) => {
      for (const message of messages) {
        if (message.type !== family?.familyId || message.data.length < 4) continue;
        try {
          const event = parseMptcpEvent(message.data[0] ?? 0, message.data.subarray(4));
          if (event) options.onEvent(event);
        } catch (error) {
          if (!(error instanceof NetlinkBytesError)) throw error;
          options.onNote({
            code: 'EVENTS_UNAVAILABLE',
            message: `bad MPTCP event: ${error.message}`,
          });
        }
      }
    });
    return true;
  };
  const isClosed = (): boolean => closed;

  return {
    start: () => start().catch(note),
    close() {
      if (closed) return;
      closed = true;
      socket?.socket.close();
    },
  };
}
