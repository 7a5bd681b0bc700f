import { readdir, readFile, readlink } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { processesWith } from './sandboxed';

/**
 * State of the host that a crash could change, apart from processes and namespaces, which carry a run's name.
 */
export interface HostState {
  interfaces: string[];
  namedNamespaces: string[];
  run: string[];
  mounts: string[];
  temporary: string[];
  rules: string;
}

/** @param tempDir the runs' own folder for temporary files */
export async function readHostState(tempDir: string): Promise<HostState> {
  const names = async (dir: string): Promise<string[]> =>
    (await readdir(dir).catch(() => [] as string[])).sort();
  const mounts = await readFile('/proc/self/mountinfo', 'utf8');
  return {
    interfaces: (await names('/sys/class/net')).concat(Object.keys(networkInterfaces())).sort(),
    namedNamespaces: await names('/run/netns'),
    run: await names('/run'),
    mounts: mounts.trim().split('\n').sort(),
    // The loader of these programs keeps its cache there.
    temporary: (await names(tempDir)).filter((name) => !name.startsWith('tsx-')),
    rules: await readFile('/proc/net/route', 'utf8'),
  };
}

const NAMESPACE_KINDS = ['mnt', 'net', 'pid', 'user'];

/** Namespaces of all processes, `net:[4026531840]`, or of those whose environment contains `NAME=value`. */
export async function namespaces(assignment?: string): Promise<Set<string>> {
  const pids =
    assignment === undefined
      ? (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
      : (await processesWith(assignment)).map(String);
  const links = await Promise.all(
    pids.flatMap((pid) =>
      NAMESPACE_KINDS.map((kind) => readlink(`/proc/${pid}/ns/${kind}`).catch(() => '')),
    ),
  );
  return new Set(links.filter((link) => link !== ''));
}
