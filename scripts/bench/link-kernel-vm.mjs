// A Debian kernel in a virtual machine, without any installation. It is downloaded with apt-get download and
// unpacked in a temporary folder. qemu boots it with an initramfs of this machine's own programs.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MODULES } from './link-kernel-guest.mjs';

const run = promisify(execFile);
const emulator = fileURLToPath(new URL('../../native/build/mpd-link', import.meta.url));
const QEMU = 'qemu-system-x86_64';
const PACKAGES = {
  [QEMU]: 'qemu-system-x86',
  busybox: 'busybox-static',
  iperf3: 'iperf3',
  ip: 'iproute2',
  tc: 'iproute2',
  'apt-get': 'apt',
  dpkg: 'dpkg',
};

async function where(program) {
  const { stdout } = await run('sh', ['-c', `command -v "$1"`, 'sh', program]);
  return stdout.trim();
}

/** @returns the missing programs with their packages; undefined if none are missing */
export async function missing() {
  const packages = new Set();
  for (const [program, name] of Object.entries(PACKAGES)) {
    await where(program).catch(() => packages.add(name));
  }
  const { stdout } = await run('busybox', []).catch(() => ({ stdout: '' }));
  if (!stdout.includes('insmod')) packages.add('busybox-static');
  if (packages.size === 0) return undefined;
  return `sudo apt-get install --no-install-recommends ${[...packages].join(' ')}`;
}

/** Fetches the kernel that linux-image-amd64 stands for. @returns the folder of its files */
export async function fetchKernel(folder) {
  const { stdout } = await run('apt-cache', ['depends', 'linux-image-amd64']);
  const name = /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
  if (name === undefined) throw new Error('apt knows no linux-image-amd64: apt-get update');
  await mkdir(folder, { recursive: true });
  await run('apt-get', ['download', '-qq', name], { cwd: folder });
  const deb = (await readdir(folder)).find((file) => file.endsWith('.deb'));
  const unpacked = path.join(folder, 'kernel');
  await run('dpkg', ['-x', path.join(folder, deb), unpacked]);
  return unpacked;
}

async function findFile(folder, wanted) {
  const files = await readdir(folder, { recursive: true });
  const found = files.find((file) => path.basename(file).startsWith(wanted));
  if (found === undefined) throw new Error(`${folder} has no ${wanted}`);
  return path.join(folder, found);
}

/** A program and its shared libraries, at their paths. */
async function addProgram(tree, program) {
  const { stdout } = await run('ldd', [program]);
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1]);
  for (const library of libraries) {
    const to = path.join(tree, library);
    await mkdir(path.dirname(to), { recursive: true });
    await copyFile(library, to);
  }
  await copyFile(program, path.join(tree, 'usr/bin', path.basename(program)));
}

async function makeInitramfs(folder, kernel, script) {
  const tree = path.join(folder, 'tree');
  for (const name of ['bin', 'usr/bin', 'modules', 'proc', 'sys', 'dev', 'run']) {
    await mkdir(path.join(tree, name), { recursive: true });
  }
  await copyFile(await where('busybox'), path.join(tree, 'bin/busybox'));
  for (const name of ['ip', 'tc', 'iperf3']) await addProgram(tree, await where(name));
  await addProgram(tree, emulator);
  for (const name of MODULES) {
    await copyFile(await findFile(kernel, `${name}.ko`), path.join(tree, 'modules', `${name}.ko`));
  }
  await writeFile(path.join(tree, 'init'), script, { mode: 0o755 });
  const archive = path.join(folder, 'initramfs');
  const pack = 'cd "$1" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1 > "$2"';
  await run('sh', ['-c', pack, 'sh', tree, archive]);
  return archive;
}

/**
 * Boots, waits for the end.
 * @param onLine called with each line of the console
 * @returns all it printed
 */
export async function runMachine(folder, kernel, script, onLine) {
  const initrd = await makeInitramfs(folder, kernel, script);
  const child = spawn(
    'nice',
    // Time counts instructions and skips idle time: other work on this machine cannot disturb the links.
    [
      ...['-n', '19', QEMU, '-accel', 'tcg,thread=single', '-icount', 'shift=1,sleep=off'],
      ...['-cpu', 'max', '-smp', '1', '-m', '512', '-nodefaults', '-no-user-config'],
      ...['-nographic', '-no-reboot', '-serial', 'stdio'],
      ...['-kernel', await findFile(path.join(kernel, 'boot'), 'vmlinuz'), '-initrd', initrd],
      ...['-append', 'console=ttyS0 quiet panic=-1 rdinit=/init'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  let text = '';
  let shown = 0;
  child.stdout.on('data', (data) => {
    text += data;
    for (let end = text.indexOf('\n', shown); end >= 0; end = text.indexOf('\n', shown)) {
      onLine(text.slice(shown, end).trim());
      shown = end + 1;
    }
  });
  await once(child, 'close');
  process.removeListener('exit', stop);
  return text;
}
