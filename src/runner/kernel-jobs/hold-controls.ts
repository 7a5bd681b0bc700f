import { errorText } from '../../core';
import { holdCoupledControls } from '../../lab';
import { UserError } from '../host';

/** One line: the cause, and the way without it. */
export const noControls = (error: unknown): UserError =>
  new UserError(
    `--backend kernel needs congestion controls that this machine cannot load (BPF struct_ops): ${errorText(error).replaceAll(/\s*\n\s*/g, '; ')}; run it without --backend kernel: simulated`,
  );

/**
 * Loads coupled controls for the life of this process; the kernel unloads them when it ends, also after a crash.
 * @returns a function that unloads them
 * @throws UserError in one line where this machine cannot load BPF struct_ops
 */
export async function holdControls(
  names: readonly string[],
  hold = holdCoupledControls,
): Promise<() => Promise<void>> {
  return hold(names).catch((error: unknown) => {
    throw noControls(error);
  });
}
