import { referenceRules } from '../../abr';
import { ownPolicy } from '../../brain';
import { isOwnRule, OWN_ABR_NAMES, POLICY_NAMES, type NetworkWish } from '../../core';
import {
  carriageName,
  carriagesOver,
  longPlayerName,
  RANGE_NAMES,
  type PlayerOver,
  type MeteredSpec,
} from '../../scenario';
import {
  Bola,
  BufferBased,
  RateBased,
  statelessController,
  type Controller,
  type SessionCarriageSpec,
  type SimPlayer,
} from '../../sim';
import { SweepError } from './axis';

/** The bitrate rule in a simulation: our brain, or a reference rule of the literature. */
const CONTROLLERS: Readonly<Record<string, () => Controller>> = {
  bola: () => new Bola(),
  bba: () => new BufferBased(),
  throughput: () => new RateBased(),
  ...Object.fromEntries(
    Object.entries(referenceRules).map(([name, rule]) => [
      name,
      () => statelessController(name, rule),
    ]),
  ),
};

/** Rules that the simulator has. */
const rules = (): string[] => [...OWN_ABR_NAMES, ...Object.keys(CONTROLLERS)];

/** Returns true if the simulator has the rule of a player such as `bola@wifi`. */
export const isSimulated = (player: string): boolean =>
  rules().includes(player.split('@')[0] ?? '');

/** A player of a sweep: plain data. */
export interface SweepPlayer {
  /** `robust-mpc@wifi`, in the scenarios' syntax. */
  id: string;
  /** A rule of `src/abr` or a reference rule. */
  rule: string;
  carriage: PlayerOver;
}

/** Players compared by default: ours in both carriages, the reference rules over plain MPTCP and over each path alone. */
export const DEFAULT_PLAYERS = [
  'ours',
  'ours@model',
  ...Object.keys(CONTROLLERS).map((name) => `${name}@mptcp`),
  'robust-mpc@each-path',
];

/** The carriages of a player. In the simulator TCP is one path, the first. */
function carriages(over: string, pathIds: readonly string[]): PlayerOver[] | undefined {
  if (over === 'tcp') return pathIds.slice(0, 1).map((path) => ({ kind: 'path', path }));
  return carriagesOver(over, pathIds);
}

/**
 * Parses players in the scenarios' syntax: `ours`, `RULE@OVER` with `mptcp`, `tcp`, `each-path`, a path or a
 * policy.
 * @throws SweepError with the known names
 */
export function readPlayers(texts: readonly string[], pathIds: readonly string[]): SweepPlayer[] {
  const players = new Map<string, SweepPlayer>();
  for (const text of texts) {
    const [rule = '', over = isOwnRule(rule) ? 'ranges' : 'mptcp'] =
      longPlayerName(text).split('@');
    if (!isSimulated(rule)) {
      throw new SweepError(`player ${text}: simulated are ours, ${rules().join(', ')}, each @OVER`);
    }
    const found = carriages(over, pathIds);
    if (found === undefined) {
      const known = ['mptcp', 'tcp', 'each-path', ...pathIds, ...POLICY_NAMES, ...RANGE_NAMES];
      throw new SweepError(`player ${text}: it can go over ${known.join(', ')}`);
    }
    for (const carriage of found) {
      const id = `${rule}@${carriageName(carriage)}`;
      players.set(id, { id, rule, carriage });
    }
  }
  return [...players.values()];
}

/** The player's own choice over byte ranges; plain MPTCP stays unmodified. */
function policyOf(carriage: PlayerOver, networks: readonly NetworkWish[]): string {
  if (carriage.kind === 'policy') return carriage.policy;
  return carriage.kind === 'ranges' ? ownPolicy(networks, true) : 'all';
}

/**
 * The simulator's player and its paths.
 * @param metered the scenario's costly networks
 */
export function simPlayer(
  { rule, carriage }: SweepPlayer,
  metered: readonly MeteredSpec[] = [],
): { player: SimPlayer; paths?: readonly string[]; carriage?: SessionCarriageSpec } {
  const paths = {
    ...(carriage.kind === 'path' ? { paths: [carriage.path] } : {}),
    ...(carriage.kind === 'ranges' ? { carriage: { ...carriage, metered } } : {}),
  };
  const networks = metered.map(({ path, ...cost }) => ({ network: path, metered: true, ...cost }));
  const config = {
    policy: policyOf(carriage, networks),
    ...(networks.length === 0 ? {} : { networks }),
    ...(carriage.kind === 'ranges' ? { carriage: 'ranges' as const } : {}),
  };
  const create = CONTROLLERS[rule];
  if (create === undefined) {
    const abr = isOwnRule(rule) ? rule : 'multipath';
    return { player: { kind: 'brain', config: { ...config, abr } }, ...paths };
  }
  const steered = carriage.kind === 'policy' ? { policy: { ...config, abr: 'none' as const } } : {};
  return { player: { kind: 'controller', create, ...steered }, ...paths };
}
