import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { errorText, type NetworkWish } from '../../core';
import { mergeNetworks, parseNetworks } from '../../ipc';
import { makeFolder } from '../../transport';

export interface NetworkWishes {
  /** The choices in force. The command line's replace those of earlier runs; those of this run replace both. */
  readonly networks: readonly NetworkWish[];
  /** Stores the viewer's choice for a network, replacing the earlier one. Never throws. */
  save(wish: NetworkWish): void;
}

/** A valid file is within the limits of a list; a much larger one is foreign. */
const MAX_FILE_CHARS = 200_000;

const fileSchema = v.strictObject({ version: v.literal(1), networks: v.unknown() });

function readNetworks(text: string): NetworkWish[] {
  if (text.length > MAX_FILE_CHARS) throw new Error('it is too large');
  const file = v.safeParse(fileSchema, JSON.parse(text));
  if (!file.success) throw new Error('it is not of this version');
  const networks = parseNetworks(file.output.networks);
  if (!networks.ok) throw new Error(networks.error);
  return mergeNetworks([], networks.value);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * The viewer's choices for networks, in one small file. An unreadable file is reported, ignored and renamed.
 * @param given choices of the command line, which hold for this run and are not stored
 */
export function openNetworkWishes(
  file: string,
  given: readonly NetworkWish[],
  onProblem: (text: string) => void,
): NetworkWishes {
  let known: readonly NetworkWish[] = [];
  /** Another player may have stored a choice meanwhile. What this one has read before is not lost with the file. */
  const stored = (): readonly NetworkWish[] => {
    try {
      return readNetworks(readFileSync(file, 'utf8'));
    } catch (error) {
      if (isMissing(error)) return known;
      const aside = `${file}.bad`;
      let kept = '';
      try {
        renameSync(file, aside);
        kept = `; it is now ${aside}`;
      } catch {
        // Then it stays in place until the next save.
      }
      onProblem(
        `the stored settings of your networks are ignored: ${file}: ${errorText(error)}${kept}`,
      );
      return known;
    }
  };
  known = stored();
  let networks: readonly NetworkWish[] = mergeNetworks(known, given);
  return {
    get networks() {
      return networks;
    },
    save(wish) {
      // An empty choice is not stored.
      const says = Object.entries(wish).some(
        ([key, value]) => key !== 'network' && value !== false && value !== undefined,
      );
      networks = mergeNetworks(networks, [wish]);
      try {
        makeFolder(path.dirname(file));
        const others = stored().filter(({ network }) => network !== wish.network);
        known = says ? [...others, wish] : others;
        const content = { version: 1, networks: known };
        writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
      } catch (error) {
        onProblem(`your choice of networks is not remembered: ${errorText(error)}`);
      }
    },
  };
}
