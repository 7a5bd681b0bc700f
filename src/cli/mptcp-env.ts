import { LabError, mptcpizeEnv } from '../lab';
import { readMptcpEnabled } from '../transport';

/**
 * Environment under which a player's sockets are MPTCP, or an empty one with a word to the user where that
 * cannot be: a stream over one path beats none. With MPTCP switched off the wrapper would make every socket
 * fail, so it is left out.
 */
export async function mptcpEnv(tell: (warning: string) => void): Promise<Record<string, string>> {
  const enabled = readMptcpEnabled();
  if (enabled !== true) {
    tell(
      enabled === undefined
        ? 'this kernel has no MPTCP: playing over one path'
        : 'net.mptcp.enabled is 0: playing over one path (mend: sudo sysctl -w net.mptcp.enabled=1)',
    );
    return {};
  }
  try {
    return await mptcpizeEnv();
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    tell(`${error.message}\n  until then: playing over one path`);
    return {};
  }
}
