/**
 * Characters that a terminal may take for a command: C0 and C1 controls and DEL (ECMA-48), except the line feed.
 * Also those that reorder or break a line (Unicode TR 9 and TR 14).
 */
const commands =
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text from outside (a manifest, a server, a log) in a form that a terminal can show, line breaks included. */
export function printable(text: string): string {
  return text.replace(commands, '\ufffd');
}

/** {@link printable} for a message: its further lines are indented, so that none looks like a message of its own. */
export function printableMessage(text: string): string {
  return printable(text).replace(/\n(?=.)/g, '\n  ');
}

/** {@link printable} for text that has to stay one line. */
export function printableLine(text: string): string {
  return printable(text).replace(/\n/g, '\ufffd');
}
