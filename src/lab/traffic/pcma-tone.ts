/** PCMA's rate (RFC 3551, section 4.5.14). */
const SAMPLE_RATE_HZ = 8_000;
/** Frequency of the dial tone in most of Europe (ITU-T E.180); a quarter of the full scale is not clipped. */
const TONE_HZ = 425;
const AMPLITUDE = 8_000;

/** One 16-bit sample as A-law (ITU-T G.711, table 1a, with the even bits inverted). */
export function alawByte(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0;
  const magnitude = (sample >= 0 ? sample : -sample - 1) >> 3;
  const segment = Math.max(Math.floor(Math.log2(Math.max(magnitude, 1))) - 4, 0);
  const mantissa = (magnitude >> Math.max(segment, 1)) & 0x0f;
  return (sign | (segment << 4) | mantissa) ^ 0x55;
}

/** A tone in telephone encoding: PCMA (RTP payload type 8), 8000 bytes a second. */
export function pcmaTone(seconds: number): Buffer {
  const bytes = Buffer.alloc(seconds * SAMPLE_RATE_HZ);
  for (let index = 0; index < bytes.length; index += 1) {
    const phase = (2 * Math.PI * TONE_HZ * index) / SAMPLE_RATE_HZ;
    bytes[index] = alawByte(Math.round(AMPLITUDE * Math.sin(phase)));
  }
  return bytes;
}
