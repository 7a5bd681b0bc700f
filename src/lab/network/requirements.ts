import { existsSync } from 'node:fs';
import { LabError } from '../errors';
import { checkTun } from '../findings';
import { isInsideSandbox } from '../sandbox';

/** @throws LabError BAD_OPTION outside a sandbox, TUN_UNAVAILABLE, MPTCP_MISSING */
export async function checkLabRequirements(): Promise<void> {
  if (!isInsideSandbox()) {
    throw new LabError(
      'BAD_OPTION',
      'a lab is only made inside a sandbox',
      'call enterSandbox first',
    );
  }
  const tun = await checkTun();
  if (!tun.ok) throw new LabError('TUN_UNAVAILABLE', tun.message, tun.fix);
  if (!existsSync('/proc/sys/net/mptcp/enabled')) {
    throw new LabError(
      'MPTCP_MISSING',
      'this kernel is built without MPTCP',
      'use a kernel with CONFIG_MPTCP=y (every major distribution ships one since 2021)',
    );
  }
}
