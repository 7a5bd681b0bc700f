import { errorText } from '../../core';
import { KERNEL_CONTROLS } from '../../experiments';
import { checkTrafficPrograms, holdCoupledControls, labRefusal } from '../../lab';
import { ownProgram, UserError } from '../host';
import type { Workers } from '../jobs';
import { ApartRuns } from '../kernel-jobs';

/** One line: the cause, and the way without it. */
export const noControls = (error: unknown): UserError =>
  new UserError(
    `--backend kernel needs congestion controls that this machine cannot load (BPF struct_ops): ${errorText(error).replaceAll(/\s*\n\s*/g, '; ')}; run it without --backend kernel: simulated`,
  );

/**
 * Loads the coupled controls and their pairs for the life of this process; the kernel unloads them when it ends,
 * also after a crash.
 * @param program with the command `experiment cc-run JOB`
 * @returns runs jobs in sandboxes; `end` waits for the running ones and unloads
 * @throws LabError where this machine has no lab; UserError in one line where it cannot load BPF struct_ops
 */
export async function startKernelRuns(program = ownProgram()): Promise<Workers> {
  const refusal = await labRefusal({ isEmulated: true });
  if (refusal !== undefined) throw refusal;
  // iperf3 makes the download.
  await checkTrafficPrograms([{ kind: 'ftp' }]);
  const release = await holdCoupledControls(KERNEL_CONTROLS).catch((error: unknown) => {
    throw noControls(error);
  });
  const runs = new ApartRuns([...program, 'experiment', 'cc-run']);
  let ended: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    await runs.settle();
    await release();
  };
  return {
    run: (request) => runs.run((request as { job: unknown }).job),
    end: () => (ended ??= end()),
  };
}
