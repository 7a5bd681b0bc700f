import { readdirSync, readFileSync } from 'node:fs';

interface Child {
  pid: number;
  name: string;
}

/** All running descendants of this process, with the kernel's program name. */
export function descendants(): Child[] {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const end = stat.lastIndexOf(')');
      const [state, parent] = stat.slice(end + 2).split(' ');
      if (state === 'Z') continue;
      const name = stat.slice(stat.indexOf('(') + 1, end);
      parents.set(Number(entry), { parent: Number(parent), name });
    } catch {
      // It ended between listing and reading.
    }
  }
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent;
    return parent === process.pid || (parent !== undefined && parent > 1 && isOurs(parent));
  };
  return [...parents.entries()]
    .filter(([pid]) => isOurs(pid))
    .map(([pid, { name }]) => ({ pid, name }));
}

/** The trial's running processes: links, server, player, background programs. */
export function trialProcesses(): Child[] {
  return descendants().filter(({ name }) =>
    /mpd-link|nginx|chrom|electron|iperf3|sipp|h2load/i.test(name),
  );
}
