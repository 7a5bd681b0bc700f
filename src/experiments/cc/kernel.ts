import type { Experiment, ExperimentOptions } from '../types';
import { COUPLED, type CcJob, type CcOutcome, type Control } from './job';
import { CONTROLS, DURATION_MS, planRuns } from './plan';
import { PAPER, reportOn } from './report';

/** Trials and length of a run. Quick: about five minutes. */
const QUICK = { trials: 2, durationMs: 6000 };
/** The paper's number of trials. */
const WHOLE = { trials: 30, durationMs: DURATION_MS };

/** Name of a control in the kernel; pairs and coupled ones are those of native/congestion. */
export function kernelControl(control: Control): string {
  if (control.kind === 'pair') {
    const { coupled, path, scope } = control;
    return `mpd_${coupled}_${path.charAt(0)}${scope === 'total' ? 't' : 'p'}`;
  }
  const isCoupled = (COUPLED as readonly string[]).includes(control.name);
  return isCoupled ? `mpd_${control.name}` : control.name;
}

/** Every control that the experiment loads into the kernel. */
export const KERNEL_CONTROLS: readonly string[] = CONTROLS.map(kernelControl).filter((name) =>
  name.startsWith('mpd_'),
);

function plan(options: ExperimentOptions): CcJob[] {
  const { trials, durationMs } = options.quick ? QUICK : WHOLE;
  return planRuns({ ...options, trials: options.trials ?? trials, durationMs });
}

/** `experiment cc --backend kernel`: the same runs in the lab, over the kernel's own MPTCP. */
export const ccKernelExperiment: Experiment<CcJob, CcOutcome> = {
  name: 'cc-kernel',
  summary:
    'coupled congestion controls above those of the paths, in the kernel over emulated links',
  paper: PAPER,
  lasts: { quick: 'about five minutes', whole: 'about an hour and a half' },
  plan,
  run: () => {
    throw new Error('the lab measures these runs');
  },
  report: (results) => reportOn(results, 'kernel'),
};
