import { expect, test } from 'vitest';
import { UserError } from '../../runner/host';
import { runProgram } from './command';

test('gives the exit status of the program', async () => {
  expect(await runProgram('sh', ['-c', 'exit 7'])).toBe(7);
});

test('a program that does not exist is wrong usage', async () => {
  const failure: unknown = await runProgram('no-such-program', []).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UserError);
  expect(failure).toMatchObject({
    message: 'cannot run no-such-program: there is no such program',
    exitCode: 2,
  });
});
