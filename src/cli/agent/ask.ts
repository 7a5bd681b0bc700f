import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { warn } from '../../runner/host';
import type { ConsentAnswer } from '../../transport';

/** Time for a person at the terminal to answer. The page waits 5 s longer, so that it receives the refusal. */
const QUESTION_MS = 60_000;

/**
 * True if this process group may use its terminal: the kernel stops a background job that reads from it.
 * @param stat text of /proc/self/stat
 */
export function isForeground(stat: string): boolean {
  // After the program's name, which may contain anything: state, parent, group, session, terminal, its foreground group.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group !== undefined && group === foreground;
}

function ownsTerminal(): boolean {
  try {
    return isForeground(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return false;
  }
}

export interface AskOptions {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** Ends a question without an answer. */
  signal: AbortSignal;
  /** True while this program may ask on the terminal. Default: it is the terminal's foreground job. */
  mayAsk?: () => boolean;
}

/** Asks on the terminal, one question at a time. Without a terminal, or in the background, there is no answer. */
export function createAsk(options: AskOptions): (origin: string) => Promise<ConsentAnswer> {
  const { input, output, mayAsk = ownsTerminal } = options;
  const reported = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  const askNow = async (origin: string): Promise<ConsentAnswer> => {
    if (!input.isTTY || !mayAsk()) {
      if (!reported.has(origin)) {
        warn(`${origin} has no consent yet; give it with: multipath-dash agent --grant ${origin}`);
      }
      reported.add(origin);
      return 'unanswered';
    }
    // Not as a terminal: readline would take Ctrl-C from the agent, and would change modes that a shell has set.
    const terminal = createInterface({ input, output, terminal: false });
    try {
      const signal = AbortSignal.any([options.signal, AbortSignal.timeout(QUESTION_MS)]);
      const question = `${origin} asks to see this computer's network paths. Allow it from now on? [y/N] `;
      const reply = await terminal.question(question, { signal });
      return /^y(es)?$/i.test(reply.trim()) ? 'granted' : 'denied';
    } catch {
      return 'unanswered';
    } finally {
      terminal.close();
    }
  };
  return (origin) => {
    const answer = last.then(() => askNow(origin));
    last = answer;
    return answer;
  };
}
