import {
  hostIsLittleEndian,
  mptcpAttribute,
  mptcpEventKinds,
  type MptcpEvent,
} from '../mptcp-event';

/** Bytes of an IPv4 address or of a full, uncompressed IPv6 address. */
export function addressBytes(text: string): Uint8Array {
  if (!text.includes(':')) return Uint8Array.from(text.split('.').map(Number));
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = groups(head);
  const right = text.includes('::') ? groups(tail) : [];
  const all = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** What the kernel would send for an event: its command and its attributes. */
export function formatMptcpEvent(event: MptcpEvent): { command: number; payload: Uint8Array } {
  const bytes: number[] = [];
  const push = (type: number, data: Uint8Array): void => {
    const header = new DataView(new ArrayBuffer(4));
    header.setUint16(0, 4 + data.length, hostIsLittleEndian);
    header.setUint16(2, type, hostIsLittleEndian);
    bytes.push(...new Uint8Array(header.buffer), ...data);
    while (bytes.length % 4 !== 0) bytes.push(0);
  };
  const number = (type: number, size: 1 | 2 | 4, value: number | undefined, host = true): void => {
    if (value === undefined) return;
    const view = new DataView(new ArrayBuffer(size));
    const little = host && hostIsLittleEndian;
    if (size === 1) view.setUint8(0, value);
    if (size === 2) view.setUint16(0, value, little);
    if (size === 4) view.setUint32(0, value >>> 0, little);
    push(type, new Uint8Array(view.buffer));
  };
  const end = (
    socket: { address: string; port: number } | undefined,
    types: { v4: number; v6: number; port: number },
  ): void => {
    if (!socket) return;
    push(socket.address.includes(':') ? types.v6 : types.v4, addressBytes(socket.address));
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
  number(at.interfaceIndex, 4, event.interfaceIndex);
  number(at.resetReason, 4, event.resetReason);
  const command = Object.entries(mptcpEventKinds).find(([, kind]) => kind === event.kind)?.[0];
  return { command: Number(command), payload: Uint8Array.from(bytes) };
}
