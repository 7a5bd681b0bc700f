import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { procStatField } from '../../core';
import { addressBytes } from '../../kernel';
import type { EndpointChange } from './changes';

const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffffffff));
const address = v.pipe(
  v.string(),
  v.maxLength(45),
  v.check((text) => addressBytes(text) !== undefined),
);
const endpoint = v.strictObject({
  endpointId: v.pipe(count, v.maxValue(255)),
  address,
  port: v.pipe(count, v.maxValue(65535)),
  flags: count,
  interfaceIndex: v.pipe(count, v.maxValue(0x7fffffff)),
});
const schema = v.strictObject({
  version: v.literal(1),
  /** The namespace of the changes: they are meaningless elsewhere. */
  place: v.string(),
  pid: count,
  /** Start time of that process in clock ticks since boot, because the kernel reuses process ids. */
  startTicks: v.string(),
  changes: v.array(
    v.strictObject({ address, found: v.optional(endpoint), now: v.optional(endpoint) }),
  ),
});

/** One boot, one network namespace, one process-id namespace. */
function currentPlace(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return [boot, readlinkSync('/proc/self/ns/net'), readlinkSync('/proc/self/ns/pid')].join(' ');
}

/** Undefined if the process does not exist. */
function startTicksOf(pid: number): string | undefined {
  try {
    return procStatField(readFileSync(`/proc/${pid}/stat`, 'utf8'), 22);
  } catch {
    return undefined;
  }
}

const OTHERS_MAY_WRITE = 0o022;

/** True for a folder, and no link to one, that only this user may write. */
function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return (
    found?.isDirectory() === true &&
    found.uid === process.geteuid?.() &&
    (found.mode & OTHERS_MAY_WRITE) === 0
  );
}

/**
 * Folder of a user's undo records: in `XDG_RUNTIME_DIR`, if that is this user's own, as the XDG Base Directory Specification
 * demands. `sudo -E` and `su` leave root with the folder of another user, whose records it must not carry out. Root
 * has `/run`. Undefined if there is none.
 */
export function defaultUndoFolder(
  runtime = process.env['XDG_RUNTIME_DIR'],
  uid = process.geteuid?.(),
): string | undefined {
  if (runtime !== undefined && runtime !== '' && isOwnFolder(runtime)) {
    return path.join(runtime, 'multipath-dash');
  }
  // In a user namespace /run is another's.
  return uid === 0 && isOwnFolder('/run') ? '/run/multipath-dash-undo' : undefined;
}

export interface Abandoned {
  changes: EndpointChange[];
  /** Call this once they are undone. */
  done: () => void;
}

/**
 * Keeps the changes across a crash: one small file a process. It is replaced as a whole before each change,
 * and removed when nothing is changed.
 */
export class UndoRecord {
  readonly #folder: string;
  readonly #file: string;
  readonly #place = currentPlace();

  /** @throws Error if the folder cannot be created, or if another user could write there */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwnFolder(folder)) {
      throw new Error(`${folder} is not only this user's: changes are not recorded there`);
    }
    this.#folder = folder;
    this.#file = path.join(folder, `path-control-${process.pid}.json`);
  }

  /** @throws Error if it cannot be written: then nothing may be changed */
  write(changes: readonly EndpointChange[]): void {
    if (changes.length === 0) {
      rmSync(this.#file, { force: true });
      return;
    }
    const startTicks = startTicksOf(process.pid) ?? '';
    const text = JSON.stringify({
      version: 1,
      place: this.#place,
      pid: process.pid,
      startTicks,
      changes,
    });
    // Not through write-file-atomic, which waits for the disk: after a power cut the endpoints are gone as well.
    const part = `${this.#file}.new`;
    rmSync(part, { force: true });
    writeFileSync(part, text, { mode: 0o600, flag: 'wx' });
    renameSync(part, this.#file);
  }

  /** Returns the changes that ended processes left here. An unreadable file stays untouched. */
  abandoned(): Abandoned[] {
    const out: Abandoned[] = [];
    for (const name of readdirSync(this.#folder)) {
      if (!/^path-control-\d+\.json$/.test(name)) continue;
      const file = path.join(this.#folder, name);
      const read = this.#read(file);
      if (read?.place !== this.#place || startTicksOf(read.pid) === read.startTicks) continue;
      const changes = read.changes.map(({ address: at, found, now }) => ({
        address: at,
        found,
        now,
      }));
      out.push({ changes, done: () => rmSync(file, { force: true }) });
    }
    return out;
  }

  #read(file: string): v.InferOutput<typeof schema> | undefined {
    try {
      const parsed = v.safeParse(schema, JSON.parse(readFileSync(file, 'utf8')));
      return parsed.success ? parsed.output : undefined;
    } catch {
      return undefined;
    }
  }
}
