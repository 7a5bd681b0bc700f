import type { TunnelState } from '../../kernel';

/** MPTCP as the second choice. `unusable`: the player cannot use it. `single`: one subflow at most carries data. */
export type MptcpState =
  | { state: 'unusable' | 'untried' | 'probing' | 'single' }
  | { state: 'multipath'; subflows: number };

/** The facts on which the choice of the carriage depends. */
export interface CarriageFacts {
  /** Networks of this machine that are up. */
  networks: number;
  server: 'unknown' | 'this-machine' | 'other-machine';
  /** Whether the system sends through a tunnel, such as a VPN. */
  tunnel: TunnelState;
  /** The proxy through which requests to the server go; undefined without one. */
  proxy?: string | undefined;
  /** Why no network reaches the server by itself; undefined while one does, or may. */
  unreached?: string | undefined;
  /** Why the server's answers cannot be joined; undefined while they can, or nothing is known. */
  notJoined?: string | undefined;
  /** A network has spent its budget. */
  isBudgetSpent: boolean;
  mptcp: MptcpState;
}

/**
 * The carriage that `auto` chose. The gateway fetches in `ranges`, `mptcp-probe` and `whole-objects`, the browser's own
 * sockets in the others.
 */
export type CarriageState =
  | 'ranges'
  | 'mptcp-probe'
  | 'mptcp'
  | 'whole-objects'
  | 'one-network'
  | 'own-host'
  | 'unreached'
  | 'tunnel'
  | 'proxy';

export interface ChosenCarriage {
  state: CarriageState;
  /** Reason for the viewer and the log. */
  reason: string;
}

/**
 * Chooses a stream's carriage: byte ranges over every network. Where the server's answers cannot be joined, MPTCP with
 * two subflows that carry, else whole objects, each over one network. Where the gateway cannot help, the system's routes.
 */
export function chooseCarriage(facts: CarriageFacts): ChosenCarriage {
  const { networks, server, tunnel, proxy, unreached, notJoined, isBudgetSpent, mptcp } = facts;
  // First: a socket that is bound to a network bypasses tunnel and proxy, and so do the probes of MPTCP.
  if (tunnel.state === 'found') {
    return bypassed('tunnel', `This computer sends through ${tunnel.name}, as with a VPN`);
  }
  if (tunnel.state === 'unknown') {
    return bypassed('tunnel', `This computer may send through a VPN: ${tunnel.reason}`);
  }
  if (proxy !== undefined) {
    return bypassed('proxy', `Requests to the server go through the proxy ${proxy}`);
  }
  // Before the number of networks, so that MPTCP keeps a stream whose other network comes and goes.
  if (notJoined !== undefined && mptcp.state === 'multipath') {
    return { state: 'mptcp', reason: `MPTCP over ${mptcp.subflows} subflows: ${notJoined}.` };
  }
  if (networks < 2) return { state: 'one-network', reason: 'One network at most is up.' };
  if (server !== 'other-machine') {
    return { state: 'own-host', reason: 'The server is this machine, or not known yet.' };
  }
  // The browser would continue over a network whose budget is spent.
  if (unreached !== undefined && !isBudgetSpent) return { state: 'unreached', reason: unreached };
  if (notJoined === undefined) return { state: 'ranges', reason: `${networks} networks are up.` };
  const isUntried = mptcp.state === 'untried' || mptcp.state === 'probing';
  return isUntried
    ? { state: 'mptcp-probe', reason: `MPTCP is being tried: ${notJoined}.` }
    : { state: 'whole-objects', reason: `Each object comes over one network: ${notJoined}.` };
}

const bypassed = (state: 'tunnel' | 'proxy', why: string): ChosenCarriage => ({
  state,
  reason: `${why}, so media keep to the system's routes (over every network: --carriage ranges).`,
});

/** True where the gateway fetches. */
export function usesGateway({ state }: ChosenCarriage): boolean {
  return state === 'ranges' || state === 'mptcp-probe' || state === 'whole-objects';
}
