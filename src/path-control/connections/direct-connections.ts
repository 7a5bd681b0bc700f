import { errorText } from '../../core';
import { PathControlError } from '../../ports';
import {
  encodeRemoval,
  encodeSubflow,
  endpointFlag,
  mptcpPmCommand,
  subflowStateOf,
  type MptcpEndpoint,
  type MptcpEvent,
  type SubflowEnds,
  createMptcpEvents,
  type EventsNote,
  loadNative,
  type Native,
} from '../../kernel';
import type { ConnectionChannel, LiveConnection, LiveSubflow } from './connection-channel';
import { openPathManagerSocket } from '../path-manager-socket';

type RawSubflow = ReturnType<Native['snapshot']>['subflows'][number];

/** A subflow of the addon's snapshot as the channel's methods take it. */
export function toLiveSubflow(raw: RawSubflow): LiveSubflow {
  return {
    local: raw.local,
    remote: raw.remote,
    localId: raw.localId ?? 0,
    remoteId: raw.remoteId ?? 0,
    state: subflowStateOf(raw),
    backupLocal: raw.backupLocal === true,
    fullyEstablished: raw.fullyEstablished === true,
  };
}

/** The wanted connections of a snapshot, with their subflows. */
export function liveConnections(
  { connections, subflows }: Pick<ReturnType<Native['snapshot']>, 'connections' | 'subflows'>,
  tokens: ReadonlySet<number>,
): LiveConnection[] {
  return connections
    .filter(({ token, fallback }) => tokens.has(token) && fallback !== true)
    .map(({ token, remote }) => ({
      token,
      remote,
      subflows: subflows.filter((item) => item.token === token).map(toLiveSubflow),
    }));
}

function endsOf(token: number, subflow: LiveSubflow, backup: boolean): SubflowEnds {
  const end = (id: number, { address, port }: LiveSubflow['local']): MptcpEndpoint => ({
    endpointId: id,
    address,
    port,
    flags: 0,
    interfaceIndex: 0,
  });
  const local = end(subflow.localId, subflow.local);
  return {
    token,
    local: { ...local, flags: backup ? endpointFlag.backup : 0 },
    remote: end(subflow.remoteId, subflow.remote),
  };
}

/**
 * Opens the kernel's commands with this process's own CAP_NET_ADMIN, in its network namespace.
 * @throws PathControlError as openPathManagerSocket
 */
export async function openDirectConnections(
  onNote: (note: EventsNote) => void,
): Promise<ConnectionChannel> {
  const socket = await openPathManagerSocket();
  const listeners: ((event: MptcpEvent) => void)[] = [];
  const lostListeners: (() => void)[] = [];
  const events = createMptcpEvents({
    onEvent: (event) => {
      for (const listener of listeners) listener(event);
    },
    onNote(note) {
      if (note.code === 'EVENTS_OVERRUN') for (const listener of lostListeners) listener();
      onNote(note);
    },
  });
  await events.start();

  const change = async (
    what: string,
    command: number,
    ends: SubflowEnds,
    mapped = false,
  ): Promise<void> => {
    const name = `${what} ${ends.local.address} to ${ends.remote.address}`;
    await socket.request(name, command, encodeSubflow(ends, mapped));
  };

  return {
    through: 'direct',
    connections(tokens) {
      if (tokens.size === 0) return Promise.resolve([]);
      try {
        return Promise.resolve(liveConnections(loadNative().snapshot(), tokens));
      } catch (error) {
        const reason = errorText(error);
        return Promise.reject(new PathControlError('FAILED', `listing subflows: ${reason}`));
      }
    },
    create: (token, subflow) =>
      change('opening a subflow from', mptcpPmCommand.subflowCreate, {
        token,
        local: {
          endpointId: subflow.localId,
          address: subflow.localAddress,
          port: 0,
          flags: endpointFlag.subflow | (subflow.backup ? endpointFlag.backup : 0),
          interfaceIndex: subflow.interfaceIndex,
        },
        remote: {
          endpointId: subflow.remoteId,
          address: subflow.remote.address,
          port: subflow.remote.port,
          flags: 0,
          interfaceIndex: 0,
        },
      }),
    async destroy(token, subflow) {
      const ends = endsOf(token, subflow, false);
      const what = 'closing the subflow from';
      try {
        await change(what, mptcpPmCommand.subflowDestroy, ends);
      } catch (error) {
        // IPv4 over an AF_INET6 socket is found only by its mapped addresses.
        if (!String(error).includes('ESRCH') || subflow.local.address.includes(':')) throw error;
        await change(what, mptcpPmCommand.subflowDestroy, ends, true);
      }
    },
    setBackup: (token, subflow, backup) =>
      change('changing the subflow from', mptcpPmCommand.setFlags, endsOf(token, subflow, backup)),
    async removeAddress(token, localId) {
      const payload = encodeRemoval(token, localId);
      await socket.request(`taking back address id ${localId}`, mptcpPmCommand.remove, payload);
    },
    onEvent: (listener) => void listeners.push(listener),
    onLost: (listener) => void lostListeners.push(listener),
    close() {
      events.close();
      socket.close();
    },
  };
}
