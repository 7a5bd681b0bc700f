/** The last line of a program's output; progress lines may end in a carriage return. */
export const lastLine = (text: string): string =>
  text
    .trim()
    .split(/[\r\n]/)
    .at(-1)
    ?.trim() ?? '';
