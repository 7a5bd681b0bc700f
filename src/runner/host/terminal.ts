import { printable, printableMessage } from '../../core';

/**
 * The only way to the terminal for external text. A manifest, a server or a log must not send control
 * sequences to the terminal.
 */
export function print(out: NodeJS.WritableStream, text: string): void {
  out.write(printable(text));
}

/** Reports a problem that does not end the program. */
export function warn(message: string): void {
  print(process.stderr, `multipath-dash: ${printableMessage(message)}\n`);
}

/** JSON for a terminal or a file. It also escapes the control characters that JSON permits. */
export function jsonText(value: unknown, indent?: number, replacer?: JsonReplacer): string {
  return JSON.stringify(value, replacer, indent).replace(
    /[\u007f-\u009f]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

type JsonReplacer = (key: string, value: unknown) => unknown;

/** A text as a word of a shell's command line: users copy the commands that are shown. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
