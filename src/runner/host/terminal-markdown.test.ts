import { expect, it } from 'vitest';
import { forTerminal } from './terminal-markdown';

it('formats tables on a terminal only: a file keeps its Markdown', () => {
  const text = '| a | b |\n|---|---|\n| 1 | 2 |';
  expect(forTerminal(text, { isTTY: true, columns: 60 })).toBe('a  b\n-  -\n1  2');
  expect(forTerminal(text, {})).toBe(text);
});
