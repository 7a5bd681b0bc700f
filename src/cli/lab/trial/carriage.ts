import { mptcpizeEnv, type BuildNetworkOptions, type LabNetwork } from '../../../lab';
import type { Carriage, PlayerSpec, Scenario } from '../../../scenario';
import type { DecisionOptions } from '../../decision';

/** The network as a player's carriage leaves it: a single path is the only one there is. */
export function networkFor(
  carriage: Carriage,
): Pick<BuildNetworkOptions, 'clientMptcp' | 'usePaths'> {
  if (carriage.kind === 'path') return { usePaths: [carriage.path] };
  return carriage.kind === 'tcp' ? { clientMptcp: false } : {};
}

/**
 * Environment of the player. A single path is carried by MPTCP as well, so that it is watched like the others.
 * @throws LabError TOOL_MISSING: a comparison without MPTCP would be none
 */
export async function playerEnv(carriage: Carriage): Promise<Record<string, string>> {
  return carriage.kind === 'tcp' ? {} : { ...(await mptcpizeEnv()) };
}

/**
 * How paths are decided about: by a policy where the player is carried by one, else by nobody. The namespace is
 * the trial's alone, so the lab's endpoints may be taken over.
 */
export function decisionFor(
  player: PlayerSpec,
  metered: NonNullable<Scenario['metered']>,
  network: Pick<LabNetwork, 'interfaceOf'>,
): DecisionOptions {
  const { carriage, policyConfig, bufferTargetMs } = player;
  if (carriage.kind !== 'policy') return { pathControl: false, bufferTargetMs };
  const networks = metered.map(({ path, ...rest }) => ({
    network: network.interfaceOf(path),
    metered: true,
    ...rest,
  }));
  return {
    policy: carriage.policy,
    policyConfig,
    bufferTargetMs,
    foreignEndpoints: 'suspend',
    ...(networks.length === 0 ? {} : { networks }),
  };
}
