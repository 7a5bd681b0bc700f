import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LabError } from './errors';
import { findOwnProgram } from './find-file';
import { tryCommand } from './run-command';

/** The coupled congestion controls of `native/congestion`, by their names in the kernel. */
export const COUPLED_CONTROLS = ['mpd_lia', 'mpd_olia', 'mpd_balia', 'mpd_wvegas', 'mpd_mcc'];

/**
 * Pairs of a coupled control and a control of the path: `r` Reno, `c` Cubic, `b` BBR. `t`: the sum of the coupled windows
 * bounds the connection. `p`: each coupled window bounds its own path.
 */
export const PAIRED_CONTROLS = COUPLED_CONTROLS.slice(0, 4).flatMap((coupled) =>
  ['rt', 'rp', 'ct', 'cp', 'bt', 'bp'].map((pair) => `${coupled}_${pair}`),
);

const TOOL = 'native/build/mpd-coupled';

/** @throws LabError TOOL_MISSING if the loader is not built */
export function findCoupledLoader(): string {
  const file = findOwnProgram(TOOL);
  if (file !== undefined) return file;
  throw new LabError(
    'TOOL_MISSING',
    `${TOOL}, which loads the coupled congestion controls, is not built; the simulator has the same controls`,
    'build it: sudo apt-get install clang libbpf-dev && make -C native/congestion',
  );
}

/** The loader's exit status where the kernel lacks something. */
const UNSUPPORTED = 3;

/** One line of cause; where the kernel lacks something, the way without it too. */
function loaderError(exitCode: number | null, stderr: string): LabError {
  const cause = stderr.trim();
  return exitCode === UNSUPPORTED
    ? new LabError(
        'BPF_MISSING',
        `${cause}; the simulator has the same controls: multipath-dash experiment cc`,
      )
    : new LabError('COMMAND_FAILED', cause);
}

export interface CoupledControl {
  name: string;
  isLoaded: boolean;
}

/** @throws LabError TOOL_MISSING, COMMAND_FAILED */
export async function listCoupledControls(): Promise<CoupledControl[]> {
  const text = await runLoader(['list']);
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', state]) => ({ name, isLoaded: state === 'loaded' }));
}

/**
 * Why this kernel cannot take the controls; needs no privileges.
 * @returns undefined if nothing speaks against it
 * @throws LabError TOOL_MISSING, COMMAND_FAILED
 */
export async function coupledControlsLack(
  loader = findCoupledLoader(),
): Promise<string | undefined> {
  try {
    await runLoader(['check'], loader);
    return undefined;
  } catch (error) {
    if (error instanceof LabError && error.code === 'BPF_MISSING') return error.message;
    throw error;
  }
}

/**
 * Loads controls for good: until `unloadCoupledControls` or a reboot.
 * @throws LabError TOOL_MISSING, BPF_MISSING, COMMAND_FAILED, as for a control that a running lab holds
 */
export async function loadCoupledControls(
  names: readonly string[],
  loader = findCoupledLoader(),
): Promise<void> {
  await runLoader(['load', ...names], loader);
}

/** @param names empty: all. @throws LabError TOOL_MISSING, COMMAND_FAILED */
export async function unloadCoupledControls(names: readonly string[]): Promise<void> {
  await runLoader(['unload', ...names]);
}

async function runLoader(args: readonly string[], loader = findCoupledLoader()): Promise<string> {
  const { exitCode, stdout, stderr } = await tryCommand(loader, args);
  if (exitCode === 0) return stdout;
  throw loaderError(exitCode, stderr);
}

/**
 * Loads controls for the life of this process: the kernel removes them when the loader ends, also after a crash.
 * @returns a function that removes them
 * @throws LabError TOOL_MISSING, BPF_MISSING, COMMAND_FAILED
 */
export async function holdCoupledControls(
  names: readonly string[],
  loader = findCoupledLoader(),
): Promise<() => Promise<void>> {
  const child = spawn(loader, ['hold', ...names], { stdio: 'pipe' });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).once('line', () => resolve());
    child.once('error', reject);
    child.once('close', (exitCode) => reject(loaderError(exitCode, errors)));
  });
  return () => ended(child);
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.stdin?.end();
  });
}
