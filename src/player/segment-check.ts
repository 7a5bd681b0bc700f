/** Checks a downloaded segment for truncation without decoding it. */

/** Size and type of a box, with 8 more bytes for a 64-bit size (ISO/IEC 14496-12, section 4.2). */
const BOX_HEADER_BYTES = 8;
const LARGE_BOX_HEADER_BYTES = 16;

/** EBML header of WebM and Matroska clusters; those are left to the browser. */
const EBML_FIRST_BYTES = [0x1a, 0x1f, 0xec];

/**
 * Walks the top-level ISO BMFF boxes (ISO/IEC 14496-12, 4.2) and describes the missing end.
 * @returns undefined when the boxes fill the bytes exactly or the format is not ISO BMFF
 */
export function describeTruncation(data: ArrayBuffer): string | undefined {
  const view = new DataView(data);
  const total = view.byteLength;
  if (total === 0) return 'the segment is empty';
  if (EBML_FIRST_BYTES.includes(view.getUint8(0))) return undefined;
  let offset = 0;
  while (offset < total) {
    if (total - offset < BOX_HEADER_BYTES) {
      return `the segment ends inside a box header at byte ${offset}`;
    }
    let size = view.getUint32(offset);
    if (size === 0) return undefined;
    let header = BOX_HEADER_BYTES;
    if (size === 1) {
      if (total - offset < LARGE_BOX_HEADER_BYTES) {
        return `the segment ends inside a box header at byte ${offset}`;
      }
      header = LARGE_BOX_HEADER_BYTES;
      size = Number(view.getBigUint64(offset + BOX_HEADER_BYTES));
    }
    if (size < header) return `the segment is not ISO BMFF: box size ${size} at byte ${offset}`;
    if (size > total - offset) {
      return `the segment is cut short: ${size - (total - offset)} bytes are missing`;
    }
    offset += size;
  }
  return undefined;
}

/** An empty segment: one empty `free` box, which every ISO BMFF parser skips. */
export function emptySegment(): ArrayBuffer {
  return new Uint8Array([0, 0, 0, BOX_HEADER_BYTES, 0x66, 0x72, 0x65, 0x65]).buffer;
}
