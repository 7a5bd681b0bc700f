import { readdirSync, readFileSync } from 'node:fs';

/** A browser has some dozens of processes. A larger tree is not a player's. */
const MAX_PROCESSES = 512;

/** A process and its living descendants, from /proc. */
export function processTree(pid: number): number[] {
  const found = new Set([pid]);
  // The iteration of a set includes elements that are added meanwhile.
  for (const parent of found) {
    for (const child of childrenOf(parent)) {
      if (found.size < MAX_PROCESSES) found.add(child);
    }
  }
  return [...found];
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    // Ended since, or a kernel without CONFIG_PROC_CHILDREN.
    return [];
  }
}
