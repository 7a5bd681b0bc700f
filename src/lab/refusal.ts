import { LabError } from './errors';
import { checkTun } from './findings';
import { probeSandbox } from './sandbox';

/**
 * The reason why this machine cannot run a lab; checked before any slow work.
 * @param isEmulated links are made by the emulator, not by the kernel's own queues
 * @returns undefined where a lab can be made
 */
export async function labRefusal({
  isEmulated,
}: {
  isEmulated: boolean;
}): Promise<LabError | undefined> {
  const refusal = await probeSandbox();
  if (refusal !== undefined || !isEmulated) return refusal;
  const tun = await checkTun();
  return tun.ok ? undefined : new LabError('TUN_UNAVAILABLE', tun.message, tun.fix);
}
