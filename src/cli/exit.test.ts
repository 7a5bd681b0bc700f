import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { UserError } from '../runner/host';
import { ScenarioError } from '../scenario';
import { exitOf, usageLine } from './exit';

describe('exitOf', () => {
  it('gives a usage error one line with the help command, and the status 2', () => {
    expect(exitOf(new UserError('x is no URL', 2))).toEqual({
      status: 2,
      text: 'x is no URL (see --help)',
    });
    expect(exitOf(new CommanderError(1, 'commander.unknownOption', 'm'))).toEqual({
      status: 2,
      text: '',
    });
    const issue = { file: 'a.yaml', line: 1, column: 1, field: 'f', message: 'm' };
    expect(exitOf(new ScenarioError([issue]))).toEqual({
      status: 2,
      text: 'a.yaml:1:1: f: m (see --help)',
    });
    expect(exitOf(new ScenarioError([issue, issue])).text).not.toContain('--help');
  });

  it("writes commander's errors as all others", () => {
    expect(usageLine("error: unknown option '--trails'\n(Did you mean --trials?)\n")).toBe(
      "unknown option '--trails' (Did you mean --trials?) (see --help)",
    );
    expect(usageLine("error: option '-n <n>' argument 'x' is invalid. expected a number")).toBe(
      "option '-n <n>' argument 'x' is invalid: expected a number (see --help)",
    );
    expect(usageLine('error: "4" is no rate\n  write it like 5mbit\n')).toBe(
      '"4" is no rate; write it like 5mbit (see --help)',
    );
  });

  it('exits with 0 after help, with 1 after a failure, and shows the stack of a defect', () => {
    expect(exitOf(new CommanderError(0, 'commander.helpDisplayed', 'm')).status).toBe(0);
    expect(exitOf(new UserError('no route'))).toEqual({
      status: 1,
      text: 'no route',
    });
    const known = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
    expect(exitOf(known).text).toBe('the disk is full');
    expect(exitOf(new Error('defect')).text).toContain('exit.test.ts');
  });
});
