import type { RescueVerdict } from './segment-rescue';

/**
 * Finds a manifest that arrived in part, for example because its server died or its file is still being written.
 * The parser of dash.js accepts such a beginning, and the player waits for the rest without an error.
 */
export class ManifestCheck {
  #defect: string | undefined;

  /** The defect of the last manifest; undefined if it is whole. */
  get defect(): string | undefined {
    return this.#defect;
  }

  /** Judges the text of an answer. A part is fetched again, as a failed download is. */
  judge(text: unknown): RescueVerdict {
    this.#defect = typeof text === 'string' ? cutShort(text) : undefined;
    return this.#defect === undefined
      ? { action: 'keep' }
      : { action: 'retry', defect: this.#defect };
  }
}

const ROOT = /<(?:[\w.-]+:)?MPD[\s/>]/;
const END_OF_ROOT = /<\/(?:[\w.-]+:)?MPD\s*>$/;
/** Longer than the end of a root. */
const TAIL_LENGTH = 100;
/** Comments, CDATA sections and processing instructions may contain text that looks like elements. */
const SKIPPED = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)/g;
const TAG = /<(\/?)([\w:.-]+)(?:[^<>"']|"[^"]*"|'[^']*')*?(\/?)>/g;

/** The place where an MPD ends too early; undefined for a whole one, and for anything that is not an MPD. */
export function cutShort(text: string): string | undefined {
  if (isEnded(text) || !ROOT.test(text)) return undefined;
  // Comments and instructions may follow the root (XML 1.0, 2.1).
  const elements = text.replace(SKIPPED, '');
  if (isEnded(elements)) return undefined;
  const open: string[] = [];
  for (const [, closing, name = '', empty] of elements.matchAll(TAG)) {
    if (closing === '/') open.pop();
    else if (empty === '') open.push(name);
  }
  const last = open.at(-1);
  return last === undefined ? undefined : `cut short inside <${last}>`;
}

const isEnded = (text: string): boolean => END_OF_ROOT.test(text.trimEnd().slice(-TAIL_LENGTH));
