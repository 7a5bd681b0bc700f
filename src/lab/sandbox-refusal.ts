import { LabError } from './errors';

/** The system's settings for namespaces; absent on systems without the switch. */
export interface NamespaceSwitches {
  isRoot: boolean;
  /** /proc/sys/user/max_user_namespaces */
  maxUserNamespaces?: number;
  /** /proc/sys/kernel/unprivileged_userns_clone (Debian) */
  unprivilegedUsernsClone?: number;
  /** /proc/sys/kernel/apparmor_restrict_unprivileged_userns (Ubuntu) */
  apparmorRestrictsUserns?: number;
}

/** Turns a refusal of `unshare` into its cause and the command that solves it. */
export function explainRefusal(stderr: string, switches: NamespaceSwitches): LabError {
  const said = stderr.trim().split('\n').at(-1) ?? '';
  const refused = (why: string, fix: string): LabError =>
    new LabError('SANDBOX_REFUSED', `this system refuses a private network: ${why} (${said})`, fix);
  if (switches.isRoot) {
    return refused(
      'root may not make namespaces here, as in most containers',
      'start the container with --privileged, or with --cap-add SYS_ADMIN --cap-add NET_ADMIN and a seccomp profile that allows unshare and mount',
    );
  }
  if (switches.unprivilegedUsernsClone === 0) {
    return refused(
      'kernel.unprivileged_userns_clone is 0',
      'run: sudo sysctl -w kernel.unprivileged_userns_clone=1',
    );
  }
  if (switches.maxUserNamespaces === 0) {
    return refused(
      'user.max_user_namespaces is 0',
      'run: sudo sysctl -w user.max_user_namespaces=15000',
    );
  }
  if (switches.apparmorRestrictsUserns === 1) {
    return refused(
      'AppArmor keeps ordinary users from user namespaces',
      'run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    );
  }
  return refused('ordinary users may not make namespaces here', 'run it as root, with sudo');
}
