import { Command } from 'commander';
import { expect, it } from 'vitest';
import { withJsonHint } from './json-hint';

/** The text for these words, from commander's error on. */
function hint(...args: string[]): string {
  let text = '';
  const program = new Command('multipath-dash')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, outputError: (message) => (text += message) });
  program.command('replay').argument('<log>').option('--json [file]');
  program.command('play').argument('<url>').option('--json <file>');
  program.command('report').argument('<dir>').option('--json').option('--csv');
  program.command('lab').command('list').argument('[dir]').option('--json');
  expect(() => program.parse(args, { from: 'user' })).toThrow();
  expect(text).not.toBe('');
  const whole = withJsonHint(program, text, args);
  return whole === text ? '' : whole.slice(text.trim().replace(/\.$/, '').length);
}

it('says that --json took the argument', () => {
  expect(hint('replay', '--json', 'session.jsonl')).toBe(
    '; --json took session.jsonl for the file to write: put --json last',
  );
  expect(hint('play', '--json', 'https://a.example')).toContain('put --json last');
});

it('says that --json takes no file', () => {
  expect(hint('report', 'runs', '--json', 'out.json')).toBe(
    '; --json takes no file here: redirect standard output, as in --json > out.json',
  );
  expect(hint('lab', 'list', 'a', '--json', 'out.json')).toContain('takes no file here');
});

it('is silent about errors with other causes', () => {
  expect(hint('replay')).toBe('');
  expect(hint('report', 'runs', 'more')).toBe('');
  expect(hint('report', '--json')).toBe('');
  expect(hint('report', '--json', '--trials')).toBe('');
});
