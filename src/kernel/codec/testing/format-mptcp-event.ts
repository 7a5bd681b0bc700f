import { addressBytes } from '../address';
import { mptcpAttribute, mptcpEventKinds, type MptcpEvent } from '../mptcp-event';
import { AttributeWriter, hostIsLittleEndian } from '../netlink-attributes';

/** The kernel's message for an event: its command and its attributes. */
export function formatMptcpEvent(event: MptcpEvent): { command: number; payload: Uint8Array } {
  const writer = new AttributeWriter();
  const number = (type: number, size: 1 | 2 | 4, value: number | undefined, host = true): void => {
    if (value === undefined) return;
    const view = new DataView(new ArrayBuffer(size));
    const little = host && hostIsLittleEndian;
    if (size === 1) view.setUint8(0, value);
    if (size === 2) view.setUint16(0, value, little);
    if (size === 4) view.setUint32(0, value >>> 0, little);
    writer.raw(type, new Uint8Array(view.buffer));
  };
  const end = (
    socket: { address: string; port: number } | undefined,
    types: { v4: number; v6: number; port: number },
  ): void => {
    if (!socket) return;
    const bytes = addressBytes(socket.address) ?? new Uint8Array();
    writer.raw(bytes.length === 16 ? types.v6 : types.v4, bytes);
    number(types.port, 2, socket.port, false);
  };
  const at = mptcpAttribute;
  number(at.token, 4, event.token);
  number(at.localId, 1, event.localId);
  number(at.remoteId, 1, event.remoteId);
  end(event.local, { v4: at.localAddress4, v6: at.localAddress6, port: at.localPort });
  end(event.remote, { v4: at.remoteAddress4, v6: at.remoteAddress6, port: at.remotePort });
  number(at.backup, 1, event.backup === undefined ? undefined : Number(event.backup));
  number(at.error, 1, event.error);
  const { denyJoinInitial } = event;
  number(at.flags, 2, denyJoinInitial === undefined ? undefined : Number(denyJoinInitial));
  number(at.interfaceIndex, 4, event.interfaceIndex);
  number(at.resetReason, 4, event.resetReason);
  const command = Object.entries(mptcpEventKinds).find(([, kind]) => kind === event.kind)?.[0];
  return { command: Number(command), payload: writer.bytes() };
}
