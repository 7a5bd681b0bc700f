import { describe, expect, it } from 'vitest';
import type { MptcpProbe } from '../../kernel';
import { LAUNCHER_PID_VARIABLE, planLaunch } from './mptcp-launch';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/mptcpize/libmptcpwrap.so.0.0.1';

function probe(enabled: string | undefined, wrapper: string | undefined = LIBRARY): MptcpProbe {
  return { enabled: () => enabled, wrapper: () => wrapper };
}

describe('planLaunch', () => {
  it('restarts with the wrapper in front of existing preloads', () => {
    expect(planLaunch(true, {}, probe('1\n'))).toEqual({ action: 'relaunch', ldPreload: LIBRARY });
    expect(planLaunch(true, { LD_PRELOAD: '/lib/other.so' }, probe('1'))).toEqual({
      action: 'relaunch',
      ldPreload: `${LIBRARY}:/lib/other.so`,
    });
  });

  it('does not restart if the wrapper is already preloaded', () => {
    expect(planLaunch(true, { LD_PRELOAD: LIBRARY }, probe('1'))).toMatchObject({
      action: 'stay',
      launch: { state: 'preloaded' },
    });
  });

  it('never starts a third time', () => {
    const plan = planLaunch(true, { [LAUNCHER_PID_VARIABLE]: '7' }, probe('1'));
    expect(plan).toMatchObject({ action: 'stay', launch: { state: 'failed' } });
  });

  it.each([
    ['MPTCP switched off', true, probe('0\n'), 'disabled', /sysctl -w net\.mptcp\.enabled=1/],
    ['a kernel without MPTCP', true, probe(undefined), 'no-kernel', /CONFIG_MPTCP/],
    ['--no-mptcp', false, probe('1'), 'off', /--no-mptcp/],
  ])('stays on plain TCP with %s and names the remedy', (_name, wanted, machine, state, mend) => {
    const plan = planLaunch(wanted, {}, machine);
    if (plan.action !== 'stay') throw new Error('started again');
    expect(plan.launch.state).toBe(state);
    expect(plan.launch.reason).toMatch(mend);
  });

  it('names the package with mptcpize', () => {
    const machine: MptcpProbe = { enabled: () => '1', wrapper: () => undefined };
    const plan = planLaunch(true, {}, machine);
    expect(plan).toMatchObject({ action: 'stay', launch: { state: 'no-mptcpize' } });
  });

  it('removes the wrapper if it would break every connection', () => {
    expect(planLaunch(true, { LD_PRELOAD: LIBRARY }, probe('0'))).toEqual({
      action: 'relaunch',
      ldPreload: undefined,
    });
    expect(planLaunch(false, { LD_PRELOAD: `/a.so:${LIBRARY} /b.so` }, probe('1'))).toEqual({
      action: 'relaunch',
      ldPreload: '/a.so:/b.so',
    });
  });
});
