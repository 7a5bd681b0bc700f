import { KERNEL_CONTROLS } from '../../experiments';
import { checkTrafficPrograms, labRefusal } from '../../lab';
import { ownProgram } from '../host';
import type { Workers } from '../jobs';
import { ApartRuns, holdControls } from '../kernel-jobs';

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
  const release = await holdControls(KERNEL_CONTROLS);
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
