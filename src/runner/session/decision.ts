import { errorText, isOwnRule, type NetworkWish } from '../../core';
import { findHelper, openSharedPathControl, type SharedPathControl } from '../../path-control';
import { warn } from '../host/terminal';

/** Path decision settings of a session. */
export interface DecisionOptions {
  /** Path policy by name; undefined: the player's own choice. */
  policy?: string | undefined;
  policyConfig?: Readonly<Record<string, unknown>> | undefined;
  networks?: readonly NetworkWish[] | undefined;
  bufferTargetMs?: number | undefined;
  /** False: this program changes no paths of the kernel. Default: true. */
  pathControl?: boolean | undefined;
  /**
   * Policy for endpoints of other processes. `suspend` if the network belongs to this program alone. Default:
   * `keep`.
   */
  foreignEndpoints?: 'keep' | 'suspend' | undefined;
}

/** A rule of dash.js alone: this program must not change the paths. */
export function isBaseline(abr: string, correction: boolean, decision: DecisionOptions): boolean {
  return !isOwnRule(abr) && !correction && decision.policy === undefined;
}

/** The decision settings in the page's address. */
export function decisionParameters(decision: DecisionOptions): Record<string, string> {
  const { policy, policyConfig, networks, bufferTargetMs } = decision;
  return {
    ...(policy === undefined ? {} : { policy }),
    ...(policyConfig === undefined ? {} : { policyConfig: JSON.stringify(policyConfig) }),
    ...(networks === undefined ? {} : { networks: JSON.stringify(networks) }),
    ...(bufferTargetMs === undefined ? {} : { bufferTarget: String(bufferTargetMs / 1000) }),
  };
}

/** Opens the control of the kernel's paths for one session, if it is wanted. */
export async function openSessionControl(
  decision: DecisionOptions,
): Promise<SharedPathControl | undefined> {
  if (decision.pathControl === false) return undefined;
  const noted = new Set<string>();
  return openSharedPathControl({
    helper: findHelper(),
    foreignEndpoints: decision.foreignEndpoints ?? 'keep',
    onError: (error) => warn(`path control: ${errorText(error)}`),
    onNote: ({ message }) => {
      // A network that never rests would repeat it.
      if (!noted.has(message)) warn(`path control: ${message}`);
      noted.add(message);
    },
  });
}
