import { errorText } from '../../core';
import { guardSandbox, isInsideSandbox } from '../../lab';
import { unlessInterrupted, UserError, warn } from '../host';

/** @throws UserError outside a sandbox */
export function checkInside(experiment: string): void {
  if (isInsideSandbox()) return;
  throw new UserError(
    `this command is part of \`experiment ${experiment} --backend kernel\`: use that`,
    2,
  );
}

/** Prints an outcome as one line of JSON for the parent, and waits until all of it is written. */
export async function answer(outcome: unknown): Promise<void> {
  // eslint-disable-next-line no-restricted-syntax -- the parent reads it
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify(outcome)}\n`, resolve));
}

/**
 * The body of a hidden command that measures one job as the first process of its sandbox and prints the outcome.
 * @param experiment whose `--backend kernel` calls it
 * @throws UserError outside a sandbox
 */
export async function answerInside(
  experiment: string,
  measure: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  checkInside(experiment);
  guardSandbox();
  try {
    await unlessInterrupted(async (signal) => answer(await measure(signal)));
  } catch (error) {
    process.exitCode = 1;
    warn(errorText(error));
  }
  // A handle that a library left open must not keep the sandbox alive.
  process.exit();
}
