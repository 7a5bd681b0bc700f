import { SAMPLE_MS } from './series';

/** A packet with data of the measured connection, as it entered its path. */
interface SentPacket {
  atUs: number;
  path: number;
  /** Connection-level sequence behind its last byte, from the first byte of the record on. */
  endSeq: number;
}

/** A connection-level acknowledgement, as it left a path. */
interface Acknowledgement {
  atUs: number;
  seq: number;
}

/** The connection with the most data in a record of the link emulator. */
export interface WireRecord {
  sent: readonly SentPacket[];
  acknowledged: readonly Acknowledgement[];
  /** CLOCK_MONOTONIC of its first packet with data. */
  startUs: number;
}

/** A line of the emulator's `record` (native/link/README.md). */
interface WireLine {
  atUs: number;
  path: number;
  isDown: boolean;
  entered: boolean;
  /** The client's port: it names the subflow. */
  port: number;
  seq: number;
  payloadBytes: number;
  ack: string;
  mapping: string;
}

function parseLine(line: string, links: readonly string[]): WireLine | undefined {
  const [us, link = '', direction, place, from, to, seq, payload, ack = '-', mapping = '-'] =
    line.split(' ');
  const path = links.indexOf(link);
  if (path < 0 || payload === undefined) return undefined;
  const isDown = direction === 'ba';
  return {
    ...{ atUs: Number(us), path, isDown, entered: place === 'in' },
    ...{ port: Number(isDown ? to : from), seq: Number(seq), payloadBytes: Number(payload) },
    ...{ ack, mapping },
  };
}

/** Sequence numbers wrap; runs are far shorter than half their range. */
const distance = (from: bigint, to: bigint): number => Number(BigInt.asIntN(32, to - from));

/** The client's port of the subflow with the most data on each path: the download's own. */
function mainPorts(lines: readonly WireLine[], paths: number): (number | undefined)[] {
  const bytes = Array.from({ length: paths }, () => new Map<number, number>());
  for (const { path, isDown, entered, port, payloadBytes } of lines) {
    if (isDown && entered) bytes[path]?.set(port, (bytes[path].get(port) ?? 0) + payloadBytes);
  }
  return bytes.map((one) => [...one].sort((a, b) => b[1] - a[1])[0]?.[0]);
}

/**
 * Finds the download in a record.
 * @param text lines of the emulator's `record`
 * @param links of the paths, in order; `ba` leads to the client
 * @returns undefined without MPTCP data, as after a fallback to TCP
 */
export function readWireRecord(text: string, links: readonly string[]): WireRecord | undefined {
  const all = text.split('\n').flatMap((line) => parseLine(line, links) ?? []);
  const ports = mainPorts(all, links.length);
  const initial = ports.map(() => 0);
  const sent: SentPacket[] = [];
  const acknowledged: Acknowledgement[] = [];
  let base: bigint | undefined;
  for (const { atUs, path, isDown, entered, port, seq, payloadBytes, ack, mapping } of all) {
    if (port !== ports[path]) continue;
    if (isDown && entered && mapping === 'syn') initial[path] = seq;
    if (isDown && entered && payloadBytes > 0 && mapping.includes(':')) {
      const [dataSeq = '', subflowSeq = ''] = mapping.split(':');
      // A mapping may span several packets: the packet's place in it comes from its own sequence number.
      const into = (seq - (initial[path] ?? 0) - Number(subflowSeq)) | 0;
      const first = BigInt(dataSeq) + BigInt(into);
      base ??= first;
      sent.push({ atUs, path, endSeq: distance(base, first) + payloadBytes });
    }
    if (!isDown && !entered && ack !== '-' && base !== undefined) {
      acknowledged.push({ atUs, seq: distance(base, BigInt(ack)) });
    }
  }
  const [start] = sent;
  return start === undefined ? undefined : { sent, acknowledged, startUs: start.atUs };
}

/** Adds in order of the stream; data of a slower path may be sent later than what follows it. */
function insert(waiting: SentPacket[], packet: SentPacket): void {
  let place = waiting.length;
  while (place > 0 && (waiting[place - 1]?.endSeq ?? 0) > packet.endSeq) place -= 1;
  waiting.splice(place, 0, packet);
}

/**
 * The delays of section 2.1 from what was on the wire, like `DelayMeter`: T_i of a path is the age of the data sent
 * over it at its connection-level acknowledgement. The age counts from the first transmission: a wait
 * in the sender behind the scheduler is not visible on the wire.
 * @param srttMs of each path, sampled from `startUs` on
 */
export function wireDelays(
  { sent, acknowledged, startUs }: WireRecord,
  srttMs: readonly (readonly number[])[],
  durationMs: number,
): { protocolMs: number[]; holMs: number[] } {
  const waiting: SentPacket[] = [];
  const known = new Set<number>();
  const latestUs: number[] = [];
  const protocolMs: number[] = [];
  const holMs: number[] = [];
  let nextSent = 0;
  let nextAck = 0;
  for (let sample = 1; sample * SAMPLE_MS <= durationMs; sample += 1) {
    const untilUs = startUs + sample * SAMPLE_MS * 1000;
    const fresh = new Map<number, number>();
    for (let ack = acknowledged[nextAck]; ack !== undefined; ack = acknowledged[nextAck]) {
      if (ack.atUs > untilUs) break;
      nextAck += 1;
      for (let one = sent[nextSent]; one !== undefined; one = sent[nextSent]) {
        if (one.atUs > ack.atUs) break;
        nextSent += 1;
        // Data sent again, on any path, counts from its first time.
        if (!known.has(one.endSeq)) insert(waiting, one);
        known.add(one.endSeq);
      }
      const { atUs, seq } = ack;
      const behind = waiting.findIndex(({ endSeq }) => endSeq > seq);
      for (const one of waiting.splice(0, behind < 0 ? waiting.length : behind)) {
        fresh.set(one.path, Math.max(atUs - one.atUs, fresh.get(one.path) ?? 0));
      }
    }
    for (const [path, us] of fresh) latestUs[path] = us;
    const waits = latestUs.flatMap((us) => us / 1000);
    if (waits.length === 0) continue;
    const protocol = Math.max(...waits);
    const longest = Math.max(...srttMs.map((one) => one[sample - 1] ?? 0));
    protocolMs.push(protocol);
    holMs.push(protocol - longest);
  }
  return { protocolMs, holMs };
}
