import { parseArgs } from 'node:util';

/**
 * Options of a script. `--help` prints its usage and ends with 0; a wrong option prints a line with the reason and ends with 2.
 * @param usage first line: the call; more lines: the options
 * @param options as of `parseArgs`
 */
export function readOptions(usage, options = {}) {
  return read(usage, { options }).values;
}

/** The same for a script that takes words beside its options. */
export function readOptionsAndWords(usage, options) {
  const { values, positionals } = read(usage, { options, allowPositionals: true });
  return { values, words: positionals };
}

function read(usage, { options, ...rest }) {
  const help = { type: 'boolean', short: 'h', default: false };
  try {
    const found = parseArgs({ ...rest, options: { ...options, help } });
    if (!found.values.help) return found;
    console.log(`usage: ${usage}`);
    process.exit(0);
  } catch (error) {
    wrongOption(error.message.split('. ')[0], usage);
  }
}

/** Checks the profile of the tests and of the fault campaign. @returns true for the one that adds variants */
export function isNightly(profile, usage) {
  if (!['test', 'nightly'].includes(profile)) {
    wrongOption(`--profile ${profile}: expected test or nightly`, usage);
  }
  return profile === 'nightly';
}

/** One line, and the call that explains the options. */
export function wrongOption(message, usage) {
  const [call] = usage.split(' [');
  console.error(`${message}; see ${call} --help`);
  process.exit(2);
}
