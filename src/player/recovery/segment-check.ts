import { IsoBoxError, isoBoxes } from '../../core';

/** EBML header of WebM and Matroska clusters; those are left to the browser. */
const EBML_FIRST_BYTES = [0x1a, 0x1f, 0xec];

/**
 * Describes the missing end of a segment of ISO BMFF boxes, without decoding it.
 * @returns undefined when the boxes fill the bytes exactly or the format is not ISO BMFF
 */
export function describeTruncation(data: ArrayBuffer): string | undefined {
  const total = data.byteLength;
  if (total === 0) return 'the segment is empty';
  if (EBML_FIRST_BYTES.includes(new DataView(data).getUint8(0))) return undefined;
  try {
    for (const { end } of isoBoxes(data)) {
      if (end > total) return `the segment is cut short: ${end - total} bytes are missing`;
    }
    return undefined;
  } catch (error) {
    if (error instanceof IsoBoxError) return error.message;
    throw error;
  }
}
