import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { mergeNetworks, parseNetworks } from '../../ipc';
import type { NetworkWish } from '../../ports';

export interface NetworkMemory {
  /** What the viewer said in earlier runs, and in this one. */
  readonly networks: readonly NetworkWish[];
  /** Takes what the viewer says of a network, in place of what was said of it before. Never throws. */
  save(wish: NetworkWish): void;
}

/** A file much larger than the limits of a list allow is not ours. */
const maxFileChars = 200_000;

const fileSchema = v.strictObject({ version: v.literal(1), networks: v.unknown() });

function readNetworks(text: string): NetworkWish[] {
  if (text.length > maxFileChars) throw new Error('it is too large');
  const file = v.safeParse(fileSchema, JSON.parse(text));
  if (!file.success) throw new Error('it is not of this version');
  const networks = parseNetworks(file.output.networks);
  if (!networks.ok) throw new Error(networks.error);
  return mergeNetworks([], networks.value);
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** What is remembered of networks, in one small file. One that cannot be read is told, ignored and kept aside. */
export function openNetworkMemory(file: string, onProblem: (text: string) => void): NetworkMemory {
  let networks: NetworkWish[] = [];
  try {
    networks = readNetworks(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!isMissing(error)) {
      const aside = `${file}.bad`;
      let kept = '';
      try {
        renameSync(file, aside);
        kept = `; it is now ${aside}`;
      } catch {
        // Then it stays where it is, until something is saved.
      }
      onProblem(
        `what was remembered of your networks is ignored: ${file}: ${reasonOf(error)}${kept}`,
      );
    }
  }
  return {
    get networks() {
      return networks;
    },
    save(wish) {
      // What says nothing need not be kept.
      const says = Object.entries(wish).some(
        ([key, value]) => key !== 'network' && value !== false && value !== undefined,
      );
      const others = networks.filter(({ network }) => network !== wish.network);
      networks = says ? [...others, wish] : others;
      try {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        const next = `${file}.new`;
        writeFileSync(next, `${JSON.stringify({ version: 1, networks }, null, 2)}\n`, {
          mode: 0o600,
        });
        renameSync(next, file);
      } catch (error) {
        onProblem(`your choice of networks is not remembered: ${reasonOf(error)}`);
      }
    },
  };
}
