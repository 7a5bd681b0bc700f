import { expect, it } from 'vitest';
import { terminalTable, terminalText } from './terminal-table';

it('lays a Markdown table out in columns, numbers to the right', () => {
  const text =
    '## Result\n\n| name | QoE |\n| --- | ---: |\n| **ours** | 3.5 |\n| `a\\|b` | 12.5 |\n\nend';
  expect(terminalText(text, 80)).toBe(
    ['Result', '', 'name   QoE', '----  ----', 'ours   3.5', 'a|b   12.5', '', 'end'].join('\n'),
  );
});

it('wraps the widest column so that the table fits', () => {
  const rows = [
    ['player', 'what came of it'],
    ['ours', 'a long sentence that does not fit into what is left of the line'],
  ];
  const lines = terminalTable(rows, 40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(lines.map((line) => line.trim()).join(' ')).toContain('a long sentence that does');
});

it('keeps its columns in line where a word is longer than its share', () => {
  const rows = [
    ['player', 'QoE/segment', 'note'],
    ['multipath@model', '4.01 [3.27,4.69]', 'the first'],
    ['dynamic@wifi', '1.78 [1.45,2.30] x0.44', 'the second of two'],
  ];
  const [, rule = '', ...lines] = terminalTable(rows, 40);
  const at = rule.lastIndexOf(' ') + 1;
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  for (const line of lines) expect(line.slice(at - 2, at).trim()).toBe('');
  expect(lines.join('\n')).toContain('[1.45,2.30]');
});
