import { formatAddress } from './address';

/** Malformed netlink bytes; the message names the attribute. */
export class NetlinkBytesError extends Error {
  override readonly name = 'NetlinkBytesError';
}

/** Length and type of an attribute (struct nlattr). */
const HEADER_BYTES = 4;
/** The two top bits of an attribute's type are flags. */
const TYPE_MASK = 0x3fff;
/** NLA_F_NESTED: the attribute contains attributes. */
const NESTED_FLAG = 0x8000;

/** Netlink uses the byte order of the host. */
export const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * Attributes by type; the last of a repeated one wins, as in the kernel's own parser.
 * @throws NetlinkBytesError for an attribute that exceeds the message
 */
export function readAttributes(payload: Uint8Array): Map<number, Uint8Array> {
  const attributes = new Map<number, Uint8Array>();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  for (let offset = 0; offset < payload.length;) {
    if (payload.length - offset < HEADER_BYTES) {
      // Padding after the last attribute may be shorter than a header, but it is zero.
      if (payload.subarray(offset).every((byte) => byte === 0)) break;
      throw new NetlinkBytesError(`attribute header cut off at byte ${offset}`);
    }
    const length = view.getUint16(offset, hostIsLittleEndian);
    const type = view.getUint16(offset + 2, hostIsLittleEndian) & TYPE_MASK;
    if (length < HEADER_BYTES || offset + length > payload.length) {
      throw new NetlinkBytesError(`attribute ${type} at byte ${offset}: bad length ${length}`);
    }
    attributes.set(type, payload.subarray(offset + HEADER_BYTES, offset + length));
    offset += (length + 3) & ~3;
  }
  return attributes;
}

/** Typed attribute values; undefined for an absent one, NetlinkBytesError for a wrong length. */
export class AttributeReader {
  readonly #attributes: Map<number, Uint8Array>;

  constructor(attributes: Map<number, Uint8Array>) {
    this.#attributes = attributes;
  }

  #bytes(type: number, length: number): DataView | undefined {
    const bytes = this.#attributes.get(type);
    if (!bytes) return undefined;
    if (bytes.length !== length) {
      throw new NetlinkBytesError(`attribute ${type}: ${bytes.length} bytes, expected ${length}`);
    }
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8 = (type: number): number | undefined => this.#bytes(type, 1)?.getUint8(0);
  u16 = (type: number): number | undefined =>
    this.#bytes(type, 2)?.getUint16(0, hostIsLittleEndian);
  u32 = (type: number): number | undefined =>
    this.#bytes(type, 4)?.getUint32(0, hostIsLittleEndian);
  s32 = (type: number): number | undefined => this.#bytes(type, 4)?.getInt32(0, hostIsLittleEndian);
  portBe = (type: number): number | undefined => this.#bytes(type, 2)?.getUint16(0, false);

  address(type4: number, type6: number): string | undefined {
    const view = this.#bytes(type4, 4) ?? this.#bytes(type6, 16);
    if (!view) return undefined;
    return formatAddress(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
}

/** Collects attributes, each padded to four bytes. */
export class AttributeWriter {
  readonly #bytes: number[] = [];

  raw(type: number, value: Uint8Array): this {
    const header = new DataView(new ArrayBuffer(HEADER_BYTES));
    header.setUint16(0, HEADER_BYTES + value.length, hostIsLittleEndian);
    header.setUint16(2, type, hostIsLittleEndian);
    this.#bytes.push(...new Uint8Array(header.buffer), ...value);
    while (this.#bytes.length % 4 !== 0) this.#bytes.push(0);
    return this;
  }

  u8(type: number, value: number): this {
    return this.raw(type, Uint8Array.of(value));
  }

  u16(type: number, value: number): this {
    const view = new DataView(new ArrayBuffer(2));
    view.setUint16(0, value, hostIsLittleEndian);
    return this.raw(type, new Uint8Array(view.buffer));
  }

  u32(type: number, value: number): this {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, value >>> 0, hostIsLittleEndian);
    return this.raw(type, new Uint8Array(view.buffer));
  }

  nested(type: number, inner: AttributeWriter): this {
    return this.raw(type | NESTED_FLAG, inner.bytes());
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
