const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;

/** A top-level box of ISO BMFF (ISO/IEC 14496-12, 4.2). */
export interface IsoBox {
  /** Its four characters as a number; see {@link isoBoxType}. */
  type: number;
  start: number;
  /** First byte after it; beyond the data where its end is missing. */
  end: number;
}

/** Data that is no list of boxes. */
export class IsoBoxError extends Error {
  override readonly name = 'IsoBoxError';
}

/**
 * The top-level boxes in their order.
 * @throws IsoBoxError at a header that is cut short, and at a size below that of its header
 */
export function* isoBoxes(data: ArrayBuffer | Uint8Array): Generator<IsoBox> {
  const view = ArrayBuffer.isView(data)
    ? new DataView(data.buffer, data.byteOffset, data.byteLength)
    : new DataView(data);
  const total = view.byteLength;
  for (let start = 0; start < total;) {
    if (total - start < HEADER_BYTES) throw cutHeader(start);
    let size = view.getUint32(start);
    let header = HEADER_BYTES;
    // To the end of the file.
    if (size === 0) size = total - start;
    else if (size === 1) {
      header = LARGE_HEADER_BYTES;
      if (total - start < header) throw cutHeader(start);
      size = Number(view.getBigUint64(start + HEADER_BYTES));
    }
    if (size < header) {
      throw new IsoBoxError(`the segment is not ISO BMFF: box size ${size} at byte ${start}`);
    }
    yield { type: view.getUint32(start + 4), start, end: start + size };
    start += size;
  }
}

const cutHeader = (start: number): IsoBoxError =>
  new IsoBoxError(`the segment ends inside a box header at byte ${start}`);

/** The boxes up to the first that {@link isoBoxes} refuses: the last one may not be complete yet. */
export function* readableIsoBoxes(data: ArrayBuffer | Uint8Array): Generator<IsoBox> {
  try {
    yield* isoBoxes(data);
  } catch (error) {
    if (!(error instanceof IsoBoxError)) throw error;
  }
}

/** Four characters such as `moof` as the number that a box has. */
export function isoBoxType(name: string): number {
  let type = 0;
  for (let at = 0; at < name.length; at += 1) type = type * 256 + name.charCodeAt(at);
  return type;
}

/** An empty `free` box, which every parser skips. */
export const emptyIsoBox = (): ArrayBuffer =>
  new Uint8Array([0, 0, 0, HEADER_BYTES, 0x66, 0x72, 0x65, 0x65]).buffer;
