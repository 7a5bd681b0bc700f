import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { errorText, printableLine, formatSeconds } from '../../core';
import type { SessionSummary } from '../../qoe';
import { decisionText, type DecisionLine } from '../../report';
import { currentRunner } from '../../lab';
import { jsonText } from './terminal';
import { UserError } from './user-error';
import { usersBehindRoot } from './users-behind-root';
import { writeWhole } from './write-whole';

export const megabit = (bps: number): string => `${(bps / 1e6).toFixed(2)} Mbit/s`;
const seconds = (ms: number | null): string => (ms === null ? '-' : formatSeconds(ms, 2));

/** Indices of the 5th and the 95th percentile in steps of 5 %. */
const SPREAD = { low: 1, high: 19 };

const latencyText = ({
  mean,
  percentiles,
}: {
  mean: number;
  percentiles: readonly number[];
}): string =>
  `mean ${seconds(mean)}, 5 to 95 %: ${seconds(percentiles[SPREAD.low] ?? null)} to ${seconds(percentiles[SPREAD.high] ?? null)}`;

/** A summary for people, as lines. */
export function summaryLines(summary: SessionSummary): string[] {
  const rows: [string, string][] = [
    ['played', seconds(summary.playedMs)],
    ['startup delay', seconds(summary.startupDelayMs)],
    ['average bitrate', megabit(summary.averageBitrateBps)],
    ['switches', `${summary.switches} (${megabit(summary.switchMagnitudeBps)} in all)`],
    ['stalls', `${summary.stalls.count} (${seconds(summary.stalls.totalMs)})`],
    ['buffer', `mean ${seconds(summary.bufferMs.mean)}, least ${seconds(summary.bufferMs.min)}`],
    ...(summary.liveLatencyMs
      ? [['live latency', latencyText(summary.liveLatencyMs)] as [string, string]]
      : []),
    ['dropped frames', `${summary.droppedFrames} of ${summary.decodedFrames}`],
    ['linear QoE', summary.linearQoe === null ? '-' : summary.linearQoe.perSegment.toFixed(2)],
    ...summary.paths.map((path): [string, string] => [
      path.id,
      `${(path.bytes / 1e6).toFixed(2)} MB, mean ${megabit(path.meanRateBps)}, ${path.sharePercent.toFixed(0)} %`,
    ]),
    ['transport', summary.transport === null ? '-' : summary.transport.last.reason],
    ...(summary.errorCount === 0
      ? []
      : [
          ['problems', `${summary.errorCount}, first: ${summary.errors[0]?.message ?? ''}`] as [
            string,
            string,
          ],
        ]),
  ];
  // A text of the server must not begin a line of its own.
  return rows.map(([name, value]) => `  ${name.padEnd(16)} ${printableLine(value)}`);
}

/** Lines of decisions shown on a terminal: the first ones and the last. */
const shownDecisions = { first: 4, last: 8 };

/**
 * Lists the used paths with times and reasons, as lines. A long list loses its middle; the report is
 * complete.
 */
export function decisionLines(decisions: readonly DecisionLine[]): string[] {
  if (decisions.length === 0) return [];
  const { first, last } = shownDecisions;
  const texts = decisions.map((line) => `    ${printableLine(decisionText(line))}`);
  const left = texts.length - first - last;
  const shown =
    left <= 0
      ? texts
      : [...texts.slice(0, first), `    … ${left} more in the report`, ...texts.slice(-last)];
  return ['  path decisions', ...shown];
}

/** Thousandths of a millisecond or of a bit per second are noise. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}

/** JSON as the files of records have it. */
export const recordText = (value: unknown): string => `${jsonText(value, 2, rounded)}\n`;

/** Checks before a long run that `--json` can be written. @throws UserError if not */
export function checkJsonFile(file: string): void {
  if (file === '-') return;
  try {
    const place = placeOf(file);
    if ('replace' in place) accessSync(path.dirname(file), constants.W_OK);
    if ('device' in place) {
      checkDevice(lstatSync(file));
      accessSync(file, constants.W_OK);
    }
  } catch (error) {
    throw notWritable(file, error);
  }
}

/** Where `--json` goes: an open descriptor, a device that is written to, or a file that is replaced as a whole. */
type Place = { descriptor: number } | { device: true } | { replace: true };

const ownDescriptors: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2 };

/** @throws Error for a folder, a socket or a disk */
function placeOf(given: string): Place {
  const file = path.resolve(given);
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(file)?.[1];
  const descriptor = number === undefined ? ownDescriptors[file] : Number(number);
  if (descriptor !== undefined) return { descriptor };
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isSymbolicLink()) return { replace: true };
  if (isDevice(found)) return { device: true };
  throw new Error('it is neither a file nor a pipe nor a terminal');
}

/** A terminal, `/dev/null` or a pipe with a name. */
const isDevice = (found: Stats): boolean => found.isCharacterDevice() || found.isFIFO();

function checkDevice(found: Stats): void {
  if (!isDevice(found)) throw new Error('it changed meanwhile');
  const { uid, unmappedUid } = currentRunner();
  // In a user namespace the devices of the system are another's. Nobody else can make one.
  const isSystems = found.isCharacterDevice() && found.uid === unmappedUid;
  if (![0, uid, ...usersBehindRoot()].includes(found.uid) && !isSystems) {
    throw new Error(`it belongs to user ${found.uid}`);
  }
}

/**
 * Writes to a device of this user or of root. Another user who may write the folder could offer a pipe of his own, or
 * replace the device by a link. The check is therefore made on the open file.
 */
function writeDevice(file: string, text: string): void {
  // Before it is opened too: a pipe without a reader would wait.
  checkDevice(lstatSync(file));
  const fd = openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    checkDevice(fstatSync(fd));
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Mode of the file that is replaced, so that a private one stays private. */
function modeOf(file: string): number {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.uid === process.getuid?.() ? found.mode : 0o777;
}

const notWritable = (file: string, error: unknown): UserError =>
  new UserError(`--json ${file} cannot be written (${errorText(error)})`, 2);

/** {@link writeJsonText} with numbers rounded to thousandths. */
export const writeJson = (file: string, value: unknown, mode?: number): void =>
  writeJsonText(file, recordText(value), mode);

/**
 * Writes the text of `--json` to a file, or to standard output for `-`. It replaces a symbolic link, which could lead to
 * another file.
 * @param mode of a new file
 * @throws UserError if it cannot be written, or is a device of another user
 */
export function writeJsonText(file: string, text: string, mode = 0o666): void {
  if (file === '-') {
    process.stdout.write(text);
    return;
  }
  try {
    const place = placeOf(file);
    if ('replace' in place) writeWhole(file, text, mode & modeOf(file));
    else if ('device' in place) writeDevice(file, text);
    else if (place.descriptor === 1) process.stdout.write(text);
    else writeFileSync(place.descriptor, text);
  } catch (error) {
    throw notWritable(file, error);
  }
}
