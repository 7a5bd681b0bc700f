import { mptcpizeEnv, type BuildNetworkOptions, type LabNetwork } from '../../lab';
import type { PlayerOver, PlayerSpec, Scenario } from '../../scenario';
import type { DecisionOptions } from '../session/decision';

/** The network that a player's carriage uses. A single-path carriage sees only its path. */
export function networkFor(
  carriage: PlayerOver,
): Pick<BuildNetworkOptions, 'clientMptcp' | 'usePaths'> {
  if (carriage.kind === 'path') return { usePaths: [carriage.path] };
  return carriage.kind === 'tcp' ? { clientMptcp: false } : {};
}

/**
 * Environment of the player. A single path uses MPTCP too, so that it is sampled like the others.
 * @throws LabError TOOL_MISSING: without MPTCP the comparison would be invalid
 */
export async function playerEnv(carriage: PlayerOver): Promise<Record<string, string>> {
  const isPlain = carriage.kind === 'tcp' || carriage.kind === 'ranges';
  return isPlain ? {} : { ...(await mptcpizeEnv()) };
}

/**
 * Path decision settings: a policy if the player's carriage has one, else none. The namespace belongs to the
 * trial alone, so the lab's endpoints may be suspended.
 */
export function decisionFor(
  player: PlayerSpec,
  metered: NonNullable<Scenario['metered']>,
  network: Pick<LabNetwork, 'interfaceOf'>,
): DecisionOptions {
  const { carriage, policyConfig, bufferTargetMs } = player;
  if (carriage.kind !== 'policy' && carriage.kind !== 'ranges') {
    return { pathControl: false, bufferTargetMs };
  }
  const networks = metered.map(({ path, ...rest }) => ({
    network: network.interfaceOf(path),
    metered: true,
    ...rest,
  }));
  const costs = networks.length === 0 ? {} : { networks };
  // The fetcher uses each network as the policy wants; the kernel's paths stay as they are.
  if (carriage.kind === 'ranges') return { pathControl: false, bufferTargetMs, ...costs };
  return {
    policy: carriage.policy,
    policyConfig,
    bufferTargetMs,
    foreignEndpoints: 'suspend',
    ...costs,
  };
}
