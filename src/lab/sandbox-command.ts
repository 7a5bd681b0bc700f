/**
 * Runs inside the new namespaces, before the program. It makes /run a private tmpfs with bind mounts of all its
 * entries, because display and sound sockets live there. The folder /run/netns and the scratch folder of an outer sandbox
 * are left out. Entries created from here on exist only here. Loopback is up, as programs expect. The shell's
 * working directory keeps the old /run reachable. The shell stays as process 1, which must reap all orphans.
 */
const SETUP_SCRIPT = `
set -e
cd /run
mount -t tmpfs -o mode=0755 tmpfs /run
for entry in * .[!.]*; do
  if [ -L "$entry" ]; then ln -s "$(readlink "$entry")" "/run/$entry"
  elif [ "$entry" = netns ] || [ "/run/$entry" = "$1" ]; then continue
  elif [ -d "$entry" ]; then mkdir -p "/run/$entry"; mount -c --rbind "./$entry" "/run/$entry"
  elif [ -e "$entry" ]; then : > "/run/$entry"; mount -c --bind "./$entry" "/run/$entry"
  fi
done
mkdir -p /run/netns "$1"
ip link set lo up
cd "$2"
shift 2
"$@"
exit $?
`;

/** Private scratch folder of a sandbox, on its tmpfs. Its presence marks a sandbox. */
export const SANDBOX_DIR = '/run/multipath-dash';

export interface SandboxCommandOptions {
  /** The program and its arguments. */
  argv: readonly string[];
  cwd: string;
  /** False: a user namespace is made first, which permits the others. */
  isRoot: boolean;
}

/**
 * The command line that runs `argv` in mount, network and process namespaces of its own. Death of the caller,
 * even by SIGKILL, kills `unshare`. Its death kills process 1 inside, and with it every process and
 * namespace.
 */
export function sandboxCommand(options: SandboxCommandOptions): string[] {
  return [
    'setpriv',
    '--pdeathsig',
    'KILL',
    'unshare',
    ...(options.isRoot ? [] : ['--user', '--map-root-user']),
    ...['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
    ...['sh', '-c', SETUP_SCRIPT, 'sandbox', SANDBOX_DIR, options.cwd],
    ...options.argv,
  ];
}
