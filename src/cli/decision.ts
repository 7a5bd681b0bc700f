import type { NetworkWish } from '../ports';
import { findHelper, openSharedPathControl, type SharedPathControl } from '../transport';

/** How paths are decided about in a session. */
export interface DecisionOptions {
  /** Path policy by name; undefined: the player's own choice. */
  policy?: string | undefined;
  policyConfig?: Readonly<Record<string, unknown>> | undefined;
  networks?: readonly NetworkWish[] | undefined;
  bufferTargetMs?: number | undefined;
  /** False: nothing of ours touches the paths. Default true. */
  pathControl?: boolean | undefined;
  /** What becomes of endpoints somebody else made; `suspend` where the network is ours alone. Default `keep`. */
  foreignEndpoints?: 'keep' | 'suspend' | undefined;
}

/** A rule of dash.js's alone: nothing of ours may touch the paths. */
export function isBaseline(abr: string, correction: boolean, decision: DecisionOptions): boolean {
  return abr !== 'multipath' && !correction && decision.policy === undefined;
}

/** The part of the page's address that says how to decide. */
export function decisionParameters(decision: DecisionOptions): Record<string, string> {
  const { policy, policyConfig, networks, bufferTargetMs } = decision;
  return {
    ...(policy === undefined ? {} : { policy }),
    ...(policyConfig === undefined ? {} : { policyConfig: JSON.stringify(policyConfig) }),
    ...(networks === undefined ? {} : { networks: JSON.stringify(networks) }),
    ...(bufferTargetMs === undefined ? {} : { bufferTarget: String(bufferTargetMs / 1000) }),
  };
}

/** Opens the control of the paths for one session, where it is wanted. */
export async function openSessionControl(
  abr: string,
  correction: boolean,
  decision: DecisionOptions,
): Promise<SharedPathControl | undefined> {
  if (decision.pathControl === false || isBaseline(abr, correction, decision)) return undefined;
  return openSharedPathControl({
    helper: findHelper(),
    foreignEndpoints: decision.foreignEndpoints ?? 'keep',
    onError: (error) =>
      process.stderr.write(
        `multipath-dash: path control: ${error instanceof Error ? error.message : String(error)}\n`,
      ),
  });
}
