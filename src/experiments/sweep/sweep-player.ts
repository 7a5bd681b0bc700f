import { POLICY_NAMES, type Carriage, type MeteredSpec } from '../../scenario';
import {
  Bola,
  BufferBased,
  RateBased,
  RobustMpc,
  type Controller,
  type SimPlayer,
} from '../../sim';
import { SweepError } from './axis';

/** Who chooses the bitrate in a simulation: our brain, or a reference rule of the literature. */
const CONTROLLERS: Readonly<Record<string, () => Controller>> = {
  bola: () => new Bola(),
  bba: () => new BufferBased(),
  throughput: () => new RateBased(),
  'robust-mpc': () => new RobustMpc(),
};
const OURS = 'multipath';

/** A player of a sweep: plain data. */
export interface SweepPlayer {
  /** `robust-mpc@wifi`, as the scenarios write players. */
  id: string;
  /** `multipath` or a reference rule. */
  rule: string;
  carriage: Carriage;
}

/** Those compared unless told: ours, and the reference rules over MPTCP as it is and over each path alone. */
export const DEFAULT_PLAYERS = [
  'ours',
  ...Object.keys(CONTROLLERS).map((name) => `${name}@mptcp`),
  'robust-mpc@each-path',
];

function carriages(over: string, pathIds: readonly string[]): Carriage[] | undefined {
  if (over === 'mptcp') return [{ kind: 'mptcp' }];
  if (over === 'tcp') return pathIds.slice(0, 1).map((path) => ({ kind: 'path', path }));
  if (over === 'each-path') return pathIds.map((path) => ({ kind: 'path', path }));
  if (pathIds.includes(over)) return [{ kind: 'path', path: over }];
  const isPolicy = (POLICY_NAMES as readonly string[]).includes(over);
  return isPolicy ? [{ kind: 'policy', policy: over }] : undefined;
}

function carriageName(carriage: Carriage): string {
  if (carriage.kind === 'path') return carriage.path;
  return carriage.kind === 'policy' ? carriage.policy : carriage.kind;
}

/**
 * Reads players as scenarios write them: `ours`, `RULE@OVER` with `mptcp`, `tcp`, `each-path`, a path or a policy.
 * @throws SweepError naming what there is
 */
export function readPlayers(texts: readonly string[], pathIds: readonly string[]): SweepPlayer[] {
  const players = new Map<string, SweepPlayer>();
  for (const text of texts) {
    const [rule = '', over = rule === OURS ? 'model' : 'mptcp'] = (
      text === 'ours' ? OURS : text
    ).split('@');
    const rules = [OURS, ...Object.keys(CONTROLLERS)];
    if (!rules.includes(rule)) {
      throw new SweepError(`player ${text}: simulated are ours, ${rules.join(', ')}, each @OVER`);
    }
    const found = carriages(over, pathIds);
    if (found === undefined) {
      const known = ['mptcp', 'tcp', 'each-path', ...pathIds, ...POLICY_NAMES];
      throw new SweepError(`player ${text}: it can go over ${known.join(', ')}`);
    }
    for (const carriage of found) {
      const id = `${rule}@${carriageName(carriage)}`;
      players.set(id, { id, rule, carriage });
    }
  }
  return [...players.values()];
}

/** What the simulator plays with, and over which paths. @param metered the scenario's networks that cost */
export function simPlayer(
  { rule, carriage }: SweepPlayer,
  metered: readonly MeteredSpec[] = [],
): { player: SimPlayer; paths?: readonly string[] } {
  const paths = carriage.kind === 'path' ? { paths: [carriage.path] } : {};
  const networks = metered.map(({ path, ...cost }) => ({ network: path, metered: true, ...cost }));
  const config = {
    policy: carriage.kind === 'policy' ? carriage.policy : 'all',
    ...(networks.length === 0 ? {} : { networks }),
  };
  const create = CONTROLLERS[rule];
  if (create === undefined) {
    return { player: { kind: 'brain', config: { ...config, abr: 'multipath' } }, ...paths };
  }
  const steered = carriage.kind === 'policy' ? { policy: { ...config, abr: 'none' as const } } : {};
  return { player: { kind: 'controller', create, ...steered }, ...paths };
}
