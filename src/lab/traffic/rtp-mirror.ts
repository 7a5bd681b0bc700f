import * as v from 'valibot';

/**
 * The answering telephone. It returns every RTP packet to its sender, so that media flow both ways. It keeps
 * the state that RFC 3550 needs for loss (A.3) and jitter (6.4.1) of each source. It prints one JSON line per
 * source when interrupted. SIPp's own echo measures nothing. Arguments: address, clock rate (Hz), ports.
 */
export const RTP_MIRROR_SCRIPT = `
const [address, clockHz, ...ports] = process.argv.slice(1);
const sources = new Map();
const take = (socket, port, packet, from) => {
  const nowMs = performance.now();
  socket.send(packet, from.port, from.address, () => {});
  if (packet.length < 12 || packet[0] >> 6 !== 2) return;
  const sequence = packet.readUInt16BE(2);
  const sentMs = packet.readUInt32BE(4) / (Number(clockHz) / 1000);
  const id = packet.readUInt32BE(8);
  let source = sources.get(id);
  if (source === undefined) {
    source = { port, received: 0, bytes: 0, first: sequence, highest: sequence, firstMs: nowMs, differences: 0, sumMs: 0 };
    sources.set(id, source);
  } else {
    const ahead = (sequence - source.highest + 0x18000) % 0x10000 - 0x8000;
    if (ahead > 0) source.highest += ahead;
    source.differences += 1;
    source.sumMs += Math.abs(nowMs - sentMs - source.transitMs);
  }
  source.transitMs = nowMs - sentMs;
  source.lastMs = nowMs;
  source.received += 1;
  source.bytes += packet.length - 12;
};
for (const port of ports.map(Number)) {
  const socket = require('node:dgram').createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (packet, from) => take(socket, port, packet, from));
  socket.bind(port, address);
}
process.on('SIGINT', () => {
  for (const [id, source] of sources) console.log(JSON.stringify({ id, ...source }));
  process.exit(0);
});
`;

const sourceSchema = v.object({
  received: v.number(),
  /** Media bytes, without headers. */
  bytes: v.number(),
  first: v.number(),
  /** Extended past 65535. */
  highest: v.number(),
  firstMs: v.number(),
  lastMs: v.number(),
  differences: v.number(),
  sumMs: v.number(),
});

export interface RtpSummary {
  lossRatio: number;
  /** Mean difference of the transit times of consecutive packets. */
  jitterMs: number;
  /** Rate of the media bytes. */
  goodputBps: number;
}

/** Half of the sequence numbers. */
const HALF_CYCLE = 0x8000;

/**
 * Packets that a source sent up to the last one received. RFC 3550 (A.3) counts from the first one received. SIPp numbers
 * the packets of a call from 0, so those lost before it are known too: of a call of one second they matter.
 */
function sentBy({ first, highest }: v.InferOutput<typeof sourceSchema>): number {
  return highest + 1 - (first < HALF_CYCLE ? 0 : first);
}

/**
 * Summarises the mirror's output.
 * @param calls calls with media; those without any received packet count as the mean of the others
 * @returns undefined without RTP packets
 * @throws Error of JSON or schema
 */
export function parseRtpMirror(text: string, calls = 0): RtpSummary | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const sources = lines.map((line) => v.parse(sourceSchema, JSON.parse(line)));
  if (sources.length === 0) return undefined;
  const sum = (value: (source: (typeof sources)[number]) => number): number =>
    sources.reduce((total, source) => total + value(source), 0);
  const expected = (sum(sentBy) * Math.max(calls, sources.length)) / sources.length;
  const differences = sum((source) => source.differences);
  const startMs = Math.min(...sources.map((source) => source.firstMs));
  const endMs = Math.max(...sources.map((source) => source.lastMs));
  return {
    // Duplicates could make it negative.
    lossRatio: Math.max(1 - sum((source) => source.received) / expected, 0),
    jitterMs: differences === 0 ? 0 : sum((source) => source.sumMs) / differences,
    goodputBps: endMs > startMs ? (sum((source) => source.bytes) * 8_000) / (endMs - startMs) : 0,
  };
}
