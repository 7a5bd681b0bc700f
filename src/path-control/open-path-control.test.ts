import { describe, expect, it } from 'vitest';
import { openPathControl } from './open-path-control';
import { pathManagerKind } from './path-manager-kind';

describe('openPathControl', () => {
  it.each(['2\n', 'bpf_something\n'])(
    'refuses, and says why, where another path manager decides (%j)',
    async (type) => {
      const control = await openPathControl({ readPathManager: () => type });
      const capability = control.capability();
      expect(capability).toMatchObject({ available: false });
      const { reason } = capability as { reason: string };
      expect(reason).toContain('loaded into the kernel');
      expect(reason).toContain('sysctl -w net.mptcp.pm_type=0');
      await expect(control.setState('wlan0', 'backup')).rejects.toMatchObject({ code: 'DENIED' });
      await control.close();
    },
  );

  it.each([
    ['1\n', 'userspace'],
    ['userspace\n', 'userspace'],
    ['0\n', 'kernel'],
    ['kernel\n', 'kernel'],
    [undefined, 'kernel'],
    ['\n', 'other'],
  ])('reads %j as %s', (content, kind) => {
    expect(pathManagerKind(content)).toBe(kind);
  });
});
