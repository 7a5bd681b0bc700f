import { existsSync, readFileSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import { tailFileOf } from './compact-log-sink';

const LINE_FEED = 0x0a;
/**
 * Text of a compact log at most: ten hours of a session over two paths. A file of 1 MB can unpack to 1 GB, and somebody
 * else may have made it.
 */
const MAX_TEXT_BYTES = 1 << 30;

function unpack(members: Buffer, maxBytes: number): Buffer {
  try {
    // A truncated copy still yields its complete members.
    const finishFlush = constants.Z_SYNC_FLUSH;
    return gunzipSync(members, { finishFlush, maxOutputLength: maxBytes });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const reason = `it unpacks to more than ${maxBytes} bytes; if you trust it, unpack it with zcat`;
    throw new Error(reason, { cause: error });
  }
}

/** Length of the log before the tail. Undefined if the header was never written completely. */
function readHeader(tail: Buffer): { afterBytes: number; linesFrom: number } | undefined {
  const end = tail.indexOf(LINE_FEED);
  const [, after] =
    /^\{"after":(\d{1,15})\}$/.exec(tail.toString('utf8', 0, Math.max(0, end))) ?? [];
  return after === undefined ? undefined : { afterBytes: Number(after), linesFrom: end + 1 };
}

/**
 * Returns the lines of a compact log, with those not compressed yet.
 * @throws Error if a file cannot be read, is damaged before its end or unpacks to more than `maxBytes`
 */
export function readCompactLines(file: string, maxBytes = MAX_TEXT_BYTES): Buffer {
  const tailFile = tailFileOf(file);
  // Reads the tail first: the lines are still in it if the log is folded meanwhile.
  const tail = existsSync(tailFile) ? readFileSync(tailFile) : Buffer.alloc(0);
  const main = readFileSync(file);
  const header = readHeader(tail);
  const members = header ? main.subarray(0, header.afterBytes) : main;
  if (header && members.length < header.afterBytes) {
    throw new Error(`${header.afterBytes - members.length} bytes before ${tailFile} are missing`);
  }
  const lines = members.length === 0 ? members : unpack(members, maxBytes);
  return header ? Buffer.concat([lines, tail.subarray(header.linesFrom)]) : lines;
}
