const HEADER_BYTES = 8;
const LARGE_HEADER_BYTES = 16;

/** A top-level box of ISO BMFF (ISO/IEC 14496-12, 4.2). */
export interface IsoBox {
  /** Four characters: `moof`. */
  type: string;
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
    let header = HEADER_BYTES;
    const isWhole = (): boolean => total - start >= header;
    const cut = `the segment ends inside a box header at byte ${start}`;
    if (!isWhole()) throw new IsoBoxError(cut);
    let size = view.getUint32(start);
    const type = String.fromCharCode(...[4, 5, 6, 7].map((at) => view.getUint8(start + at)));
    if (size === 1) {
      header = LARGE_HEADER_BYTES;
      if (!isWhole()) throw new IsoBoxError(cut);
      size = Number(view.getBigUint64(start + HEADER_BYTES));
    }
    // Size 0: to the end of the file.
    if (size === 0) size = total - start;
    if (size < header) {
      throw new IsoBoxError(`the segment is not ISO BMFF: box size ${size} at byte ${start}`);
    }
    yield { type, start, end: start + size };
    start += size;
  }
}

/** The boxes up to the first that {@link isoBoxes} refuses: the last one may not be complete yet. */
export function readableIsoBoxes(data: ArrayBuffer | Uint8Array): IsoBox[] {
  const boxes: IsoBox[] = [];
  try {
    for (const box of isoBoxes(data)) boxes.push(box);
  } catch (error) {
    if (!(error instanceof IsoBoxError)) throw error;
  }
  return boxes;
}

/** An empty `free` box, which every parser skips. */
export const emptyIsoBox = (): ArrayBuffer =>
  new Uint8Array([0, 0, 0, HEADER_BYTES, 0x66, 0x72, 0x65, 0x65]).buffer;
