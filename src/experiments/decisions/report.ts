import { mean } from '../../core';
import { estimate, type Estimate } from '../../report';
import { allOf, estimateText, isBelow } from '../estimate';
import type { Cell, ExperimentClaim, ExperimentReport, ExperimentTable } from '../types';
import type { DecisionsJob, DecisionsOutcome } from './job';

export interface DecisionsResult {
  job: DecisionsJob;
  outcome: DecisionsOutcome;
}

const OURS = 'multipath@ranges';
/** Takes bytes over every network, costly or not. */
const PLAIN = 'robust-mpc@mptcp';
/** Percent of the costly bytes of plain MPTCP that a reserve takes at most. */
const RESERVE_PERCENT = 5;
const isOurs = (player: string): boolean => player.startsWith('multipath@');
const QOE = 'linearQoePerSegment';

/**
 * Trials from which "no reference is ahead" is judged. Half of Student's 95 % interval is 9.0 standard deviations of the
 * difference with two trials, 2.5 with three, 1.6 with four and 1.2 with five, so fewer trials hide a lead. Further trials
 * narrow it slowly: ten give 0.7. A reference that is ahead beyond its interval counts from two trials on.
 */
const LEAST_TRIALS = 5;

/** The sessions of one scenario on one backend. */
interface Group {
  name: string;
  results: readonly DecisionsResult[];
}

function groupsOf(results: readonly DecisionsResult[], backend: DecisionsJob['backend']): Group[] {
  const groups = new Map<string, DecisionsResult[]>();
  for (const result of results) {
    if (result.job.backend !== backend) continue;
    const { name } = result.job.scenario;
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  return [...groups].map(([name, members]) => ({ name, results: members }));
}

const playersOf = ({ results }: Group): string[] => [
  ...new Set(results[0]?.job.scenario.players.map(({ id }) => id)),
];

/** Values of a metric over the trials of a player. */
const valuesOf = ({ results }: Group, player: string, metric: string): number[] =>
  results.flatMap(({ job, outcome }) => {
    const value = outcome[metric];
    return job.player === player && typeof value === 'number' ? [value] : [];
  });

const meanOf = (group: Group, player: string, metric: string): number | undefined =>
  mean(valuesOf(group, player, metric));

/** The player with the highest mean QoE of those given. */
function bestOf(group: Group, players: readonly string[]): string | undefined {
  const known = players.filter((player) => valuesOf(group, player, QOE).length > 0);
  return known.sort(
    (a, b) => (meanOf(group, b, QOE) ?? -Infinity) - (meanOf(group, a, QOE) ?? -Infinity),
  )[0];
}

/** QoE of ours less that of another player, trial by trial. */
function leadOver(group: Group, player: string): Estimate {
  const qoe = (name: string, trial: number): number | null | undefined =>
    group.results.find(({ job }) => job.player === name && job.trial === trial)?.outcome[QOE];
  const trials = [...new Set(group.results.map(({ job }) => job.trial))];
  return estimate(
    trials.map((trial) => (qoe(OURS, trial) ?? Number.NaN) - (qoe(player, trial) ?? Number.NaN)),
  );
}

function playerRow(group: Group, player: string): Cell[] {
  const shown = (metric: string, scale = 1): Estimate =>
    estimate(valuesOf(group, player, metric).map((value) => value * scale));
  return [
    player,
    valuesOf(group, player, QOE).length,
    shown(QOE),
    meanOf(group, player, 'optimumShare') ?? null,
    shown('stallMs', 1e-3),
    shown('startupDelayMs', 1e-3),
    meanOf(group, player, 'goodputBps') === undefined ? null : shown('goodputBps', 1e-6),
  ];
}

const scenarioTable = (group: Group): ExperimentTable => ({
  title: group.name,
  columns: [
    { label: 'player' },
    { label: 'sessions', digits: 0 },
    { label: 'QoE a segment', unit: 'Mbit/s', digits: 2 },
    { label: 'of the optimum', digits: 2 },
    { label: 'stalled', unit: 's', digits: 1 },
    { label: 'start', unit: 's', digits: 1 },
    { label: 'goodput', unit: 'Mbit/s', digits: 2 },
  ],
  rows: playersOf(group).map((player) => playerRow(group, player)),
  note: '',
});

/** Ours beside the best reference of each scenario, in the kernel and simulated. */
function summaryTable(kernel: readonly Group[], simulated: readonly Group[]): ExperimentTable {
  const rows = kernel.map((group): Cell[] => {
    const rival = bestOf(
      group,
      playersOf(group).filter((player) => !isOurs(player)),
    );
    const twin = simulated.find(({ name }) => name === group.name);
    return [
      group.name,
      meanOf(group, OURS, QOE) ?? null,
      meanOf(group, 'multipath@model', QOE) ?? null,
      meanOf(group, 'robust-mpc@mptcp', QOE) ?? null,
      rival ?? null,
      rival === undefined ? null : (meanOf(group, rival, QOE) ?? null),
      rival === undefined ? null : leadOver(group, rival),
      (twin && meanOf(twin, OURS, QOE)) ?? null,
      (twin && meanOf(twin, 'robust-mpc@mptcp', QOE)) ?? null,
    ];
  });
  const qoe = { unit: 'Mbit/s', digits: 2 };
  return {
    title: 'QoE a segment, by scenario',
    columns: [
      { label: 'scenario' },
      { label: 'ours, ranges', ...qoe },
      { label: 'ours, MPTCP', ...qoe },
      { label: 'RobustMPC, plain MPTCP', ...qoe },
      { label: 'best reference' },
      { label: 'its QoE', ...qoe },
      { label: 'ours, ranges, less that', ...qoe },
      { label: 'simulated: ours, ranges', ...qoe },
      { label: 'simulated: RobustMPC, plain MPTCP', ...qoe },
    ],
    rows,
    note: 'In the kernel unless it says simulated. A reference plays over plain MPTCP or over one path alone.',
  };
}

/** Networks of a scenario whose bytes cost money. */
const costlyPaths = ({ results }: Group): string[] =>
  (results[0]?.job.scenario.metered ?? []).map(({ path }) => path);

/** No reference spares a costly network, so such scenarios have a claim of their own. */
function isBestClaim(all: readonly Group[]): ExperimentClaim {
  const kernel = all.filter((group) => costlyPaths(group).length === 0);
  const leads = kernel.flatMap((group) =>
    playersOf(group)
      .filter((player) => !isOurs(player))
      .map((player) => ({ name: `${player} in ${group.name}`, lead: leadOver(group, player) })),
  );
  const behind = leads.filter(({ lead }) => isBelow(lead, 0) === true);
  const verdicts = leads.map(({ lead }) => {
    if (isBelow(lead, 0) === true) return false;
    return lead.count < LEAST_TRIALS ? null : true;
  });
  const agrees = allOf(verdicts);
  const worst = behind.map(({ name, lead }) => `${name}: ${estimateText(lead, 2, 'trials')}`);
  return {
    place: 'Goal',
    paper:
      'ours is the best, or within the interval of the best, in every scenario without a costly network',
    ours:
      worst.length === 0
        ? `no reference is ahead beyond its interval, in ${kernel.length} scenarios`
        : `behind ${worst.join('; ')}`,
    agrees,
    ...(agrees === null ? { why: `It takes ${LEAST_TRIALS} trials of every player.` } : {}),
  };
}

/** A costly network is a reserve: it saves the picture, and carries next to nothing. */
function reserveClaim(group: Group): ExperimentClaim {
  const costlyBytes = ({ outcome }: DecisionsResult): number =>
    costlyPaths(group).reduce((sum, path) => sum + (outcome[`pathBytes.${path}`] ?? NaN), 0);
  const of = (player: string): DecisionsResult[] =>
    group.results.filter(({ job }) => job.player === player);
  const percent = estimate(
    of(OURS).flatMap((result) => {
      const plain = of(PLAIN).find(({ job }) => job.trial === result.job.trial);
      return plain === undefined ? [] : (100 * costlyBytes(result)) / costlyBytes(plain);
    }),
  );
  const stalled = valuesOf(group, OURS, 'stallMs').filter((ms) => ms > 0).length;
  return {
    place: 'Goal',
    paper: `in ${group.name} ours never stalls, and takes at most ${RESERVE_PERCENT} % of the costly bytes of plain MPTCP`,
    ours: `${estimateText(percent, 1, 'trials')}; % of the costly bytes. ${stalled} of ${of(OURS).length} sessions stalled`,
    agrees: stalled > 0 ? false : isBelow(percent, RESERVE_PERCENT),
  };
}

/** Only players that both backends play may win. */
function sameWinnerClaim(kernel: readonly Group[], simulated: readonly Group[]): ExperimentClaim {
  const pairs = kernel.flatMap((group) => {
    const twin = simulated.find(({ name }) => name === group.name);
    if (twin === undefined) return [];
    const players = playersOf(group).filter((one) => valuesOf(twin, one, QOE).length > 0);
    const [real, model] = [bestOf(group, players), bestOf(twin, players)];
    return real === undefined || model === undefined ? [] : [{ name: group.name, real, model }];
  });
  const differ = pairs.filter(({ real, model }) => real !== model);
  const texts = differ.map(({ name, real, model }) => `${name} (${real}, simulated ${model})`);
  const others = texts.length === 0 ? '' : `; not in ${texts.join(', ')}`;
  return {
    place: 'Goal',
    paper: 'the simulator has the same winner as the kernel in 9 of 10 scenarios',
    ours: `in ${pairs.length - differ.length} of ${pairs.length}${others}`,
    agrees: pairs.length === 0 ? null : differ.length <= pairs.length / 10,
  };
}

export function reportDecisions(results: readonly DecisionsResult[]): ExperimentReport {
  const kernel = groupsOf(results, 'kernel');
  const simulated = groupsOf(results, 'simulated');
  return {
    name: 'decisions',
    title: 'The decision over emulated networks',
    paper: '',
    simulated: false,
    method: [
      'The scenarios of scenarios/decisions that are no live streams. Real kernel, nginx, Chromium and dash.js in the lab; sessions with "simulated" in their column are simulated.',
      'QoE: linear (Yin et al., SIGCOMM 2015) a segment. Intervals: 95 %, over the trials; the lead of ours is paired by trial.',
    ],
    tables: [summaryTable(kernel, simulated), ...kernel.map(scenarioTable)],
    figures: [],
    claims: [
      isBestClaim(kernel),
      sameWinnerClaim(kernel, simulated),
      ...kernel.filter((group) => costlyPaths(group).length > 0).map(reserveClaim),
    ],
  };
}
