import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { findOwnProgram } from './find-file';
import { mptcpizeEnv } from './mptcpize';
import { tryCommand } from './run-command';
import { probeSandbox } from './sandbox';

/** One requirement of the lab and the demo. */
export interface LabFinding {
  id: 'sandbox' | 'tun' | 'emulator' | 'nginx' | 'mptcpize' | 'ffmpeg' | 'iproute2';
  ok: boolean;
  /** The requirement, or the effect of its absence on the demo. */
  message: string;
  /** The exact command that solves it. */
  fix?: string;
}

const TUN = '/dev/net/tun';

/** True if this user can create emulated links. The answer inside a user namespace is the same as outside. */
export async function checkTun(): Promise<LabFinding> {
  try {
    await access(TUN, constants.R_OK | constants.W_OK);
    return { id: 'tun', ok: true, message: `${TUN} can be opened` };
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return {
      id: 'tun',
      ok: false,
      message: isDenied
        ? `this user may not open ${TUN}: the demo's links cannot be made`
        : `there is no ${TUN}: the demo's links cannot be made`,
      fix: isDenied ? `sudo chmod 666 ${TUN}` : 'sudo modprobe tun',
    };
  }
}

async function checkTool(
  id: LabFinding['id'],
  command: string,
  args: readonly string[],
  need: string,
  packageName: string,
): Promise<LabFinding> {
  const works = await tryCommand(command, args).then(
    (result) => result.exitCode === 0,
    () => false,
  );
  if (works) return { id, ok: true, message: `${command} is there` };
  return {
    id,
    ok: false,
    message: `${command} is missing: ${need}`,
    fix: `sudo apt-get install ${packageName}`,
  };
}

async function checkSandbox(): Promise<LabFinding> {
  const refusal = await probeSandbox();
  if (refusal === undefined) {
    return { id: 'sandbox', ok: true, message: 'a private network can be made' };
  }
  const fix = refusal.fix === undefined ? {} : { fix: refusal.fix };
  return { id: 'sandbox', ok: false, message: refusal.message.split('\n')[0] ?? '', ...fix };
}

async function checkMptcpize(): Promise<LabFinding> {
  return mptcpizeEnv().then(
    () => ({ id: 'mptcpize', ok: true, message: 'mptcpize works' }),
    () => ({
      id: 'mptcpize',
      ok: false,
      message: 'mptcpize is missing: browser, Electron and older servers stay on one path',
      fix: 'sudo apt-get install mptcpize',
    }),
  );
}

function checkEmulator(): LabFinding {
  const file = findOwnProgram('native/build/mpd-link');
  if (file !== undefined)
    return { id: 'emulator', ok: true, message: 'the link emulator is built' };
  return {
    id: 'emulator',
    ok: false,
    message: 'the link emulator is not built: no demo, no lab',
    fix: 'make -C native/link',
  };
}

/** All requirements of the lab, each with its fix; for `multipath-dash doctor` and before a demo. */
export async function labFindings(): Promise<LabFinding[]> {
  return Promise.all([
    checkSandbox(),
    checkTun(),
    Promise.resolve(checkEmulator()),
    checkTool('iproute2', 'ip', ['-V'], 'no lab', 'iproute2'),
    checkTool('nginx', 'nginx', ['-v'], 'the demo has no server', 'nginx-light'),
    checkMptcpize(),
    checkTool('ffmpeg', 'ffmpeg', ['-version'], 'the demo media cannot be made', 'ffmpeg'),
  ]);
}
