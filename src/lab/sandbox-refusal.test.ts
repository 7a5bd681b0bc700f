import { describe, expect, it } from 'vitest';
import { explainRefusal } from './sandbox-refusal';

const STDERR = 'unshare: unshare failed: Operation not permitted\n';

describe('explainRefusal', () => {
  it.each([
    [{ isRoot: false, unprivilegedUsernsClone: 0 }, 'kernel.unprivileged_userns_clone=1'],
    [{ isRoot: false, maxUserNamespaces: 0 }, 'user.max_user_namespaces=15000'],
    [
      { isRoot: false, maxUserNamespaces: 9, apparmorRestrictsUserns: 1 },
      'kernel.apparmor_restrict_unprivileged_userns=0',
    ],
    [{ isRoot: false, maxUserNamespaces: 9, apparmorRestrictsUserns: 0 }, 'sudo'],
    // The switches apply to ordinary users: none of them stops root.
    [{ isRoot: true, unprivilegedUsernsClone: 0, maxUserNamespaces: 0 }, '--privileged'],
  ])('names the command that mends %j', (switches, command) => {
    const error = explainRefusal(STDERR, switches);
    expect(error.code).toBe('SANDBOX_REFUSED');
    expect(error.fix).toContain(command);
    expect(error.message).toContain('Operation not permitted');
  });
});
