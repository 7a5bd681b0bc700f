import { describe, expect, it } from 'vitest';
import { openPathControl } from './open-path-control';

describe('openPathControl', () => {
  it.each([
    ['1\n', 'user space'],
    ['2\n', 'loaded into the kernel'],
  ])('refuses, and says why, where another path manager decides (%j)', async (type, who) => {
    const control = await openPathControl({ readPathManager: () => type });
    const capability = control.capability();
    expect(capability).toMatchObject({ available: false });
    const { reason } = capability as { reason: string };
    expect(reason).toContain(who);
    expect(reason).toContain('sysctl -w net.mptcp.pm_type=0');
    await expect(control.setState('wlan0', 'backup')).rejects.toMatchObject({ code: 'DENIED' });
    await control.close();
  });
});
