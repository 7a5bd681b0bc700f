import { aqmFindings, AQM_TARGETS_MS } from './findings';
import { delaySeries } from './delay-series';
import { ablationLabel } from './ablations';
import { scenarioName } from './cells';
import { explainedBy, resultsByChange, SOME_CHANGES } from '../explain';
import { scenarioResults, type Results, type TrialResult } from '../../report';
import type { AqmFigure, AqmFindings, AqmTable, DelaySeries } from './types';
import type {
  Cell,
  ExperimentClaim,
  ExperimentFigure,
  ExperimentReport,
  ExperimentTable,
} from '../types';
import { AQM_ABLATIONS, DISCIPLINES, type AqmJob, type AqmOutcome } from './job';

export const PAPER =
  'Naik: Quantifying Multimedia Streaming Quality: A Practical Analysis using PIE and Flow Queue PIE';

interface AqmResult {
  job: AqmJob;
  outcome: AqmOutcome;
}

const LABELS = { pie: 'PIE', 'fq-pie': 'FQ-PIE' } as const;
const PLAYER = 'throughput@mptcp';

function trialOf({ job, outcome }: AqmResult): TrialResult {
  return {
    run: '',
    folder: job.key,
    number: job.trial,
    player: PLAYER,
    trial: job.trial,
    seed: job.seed,
    status: 'ok',
    problems: [],
    metrics: { ...outcome.metrics },
    optimum: null,
  };
}

/** The results in the form of the lab's, so that the same code makes figures and verdicts of both. */
function resultsOf(results: readonly AqmResult[]): Results {
  const names = DISCIPLINES.flatMap((discipline) =>
    AQM_TARGETS_MS.map((targetMs) => scenarioName(discipline, targetMs)),
  );
  return {
    schemaVersion: 1,
    generator: 'multipath-dash simulator',
    warnings: [],
    metrics: [],
    scenarios: names.map((scenario) => {
      const own = results.filter(({ job }) => job.scenario.name === scenario);
      const { title = '', source = '', description = '' } = own[0]?.job.scenario ?? {};
      const described = { scenario, title, source, description, players: [PLAYER], runs: [] };
      return scenarioResults({ ...described, trials: own.map(trialOf) }, []);
    }),
  };
}

function delaysOf(results: readonly AqmResult[]): DelaySeries[] {
  return DISCIPLINES.flatMap((discipline) =>
    AQM_TARGETS_MS.flatMap((targetMs) => {
      const trials = results.filter(
        ({ job }) => job.discipline === discipline && job.targetMs === targetMs,
      );
      return trials.length === 0
        ? []
        : delaySeries(
            discipline,
            targetMs,
            trials.map(({ outcome }) => outcome.queues),
            discipline === 'fq-pie' ? trials.map(({ outcome }) => outcome.active) : [],
          );
    }),
  );
}

function tableOf(
  title: string,
  tables: readonly (AqmFigure | AqmTable)[],
  note: string,
): ExperimentTable {
  const columns = AQM_TARGETS_MS.flatMap((targetMs) =>
    DISCIPLINES.map((discipline) => ({
      label: `${LABELS[discipline]}, ${targetMs} ms`,
      digits: 1,
    })),
  );
  const cell = (one: AqmTable, targetMs: number, discipline: 'pie' | 'fq-pie'): Cell => {
    const row = one.rows.find((each) => each.targetMs === targetMs);
    if (row === undefined) return null;
    return discipline === 'pie' ? row.pie : row.fqPie;
  };
  return {
    title,
    columns: [{ label: 'Fig.' }, { label: 'Quantity' }, ...columns],
    rows: tables.map((one) => [
      'figure' in one ? one.figure : '',
      one.unit === '' ? one.label : `${one.label} (${one.unit})`,
      ...AQM_TARGETS_MS.flatMap((targetMs) =>
        DISCIPLINES.map((discipline) => cell(one, targetMs, discipline)),
      ),
    ]),
    note,
  };
}

function barsOf({ figure, label, unit, rows, paper }: AqmFigure): ExperimentFigure {
  const points = (pick: 'pie' | 'fqPie'): ExperimentFigure['series'][number]['points'] =>
    rows.flatMap((row, x) => {
      const { mean, low, high } = row[pick];
      if (mean === null) return [];
      return [{ x, y: mean, ...(low === null || high === null ? {} : { low, high }) }];
    });
  return {
    title: `Fig. ${figure}: ${label}`,
    kind: 'bars',
    x: { label: 'Target', names: rows.map(({ targetMs }) => `${targetMs} ms`) },
    y: { label, unit, from: 0 },
    series: [
      { label: 'PIE', points: points('pie') },
      { label: 'FQ-PIE', points: points('fqPie') },
    ],
    note: `The paper: ${paper}`,
  };
}

function linesOf(
  { figure, label, paper }: AqmFigure,
  delays: readonly DelaySeries[],
): ExperimentFigure {
  return {
    title: `Fig. ${figure}: ${label}, over time`,
    kind: 'lines',
    x: { label: 'Time', unit: 's' },
    y: { label, unit: 'ms', from: 0 },
    series: delays
      .filter((one) => one.figure === figure)
      .map(({ discipline, targetMs, points }) => ({
        label: `${LABELS[discipline]}, ${targetMs} ms`,
        points: points.flatMap(({ meanMs, lowMs, highMs }, x) =>
          meanMs === null
            ? []
            : [
                {
                  x,
                  y: meanMs,
                  ...(lowMs === null || highMs === null ? {} : { low: lowMs, high: highMs }),
                },
              ],
        ),
      })),
    note: `The paper: ${paper}`,
  };
}

const judged = (results: readonly AqmResult[]): AqmFindings =>
  aqmFindings(resultsOf(results), delaysOf(results));

/** Adds to each claim that differs the ablations under which it agrees. */
function explained(
  claims: readonly ExperimentClaim[],
  all: readonly AqmResult[],
): ExperimentClaim[] {
  const ablated = resultsByChange(AQM_ABLATIONS, all).map(({ ablation, changed: own, same }) => {
    const changed = judged(own).claims;
    // With partial results a statement may be missing: statements are matched by their text.
    const inOrder = (list: readonly ExperimentClaim[]) =>
      claims.map(({ place, paper }) =>
        list.find((one) => one.place === place && one.paper === paper),
      );
    const beside = inOrder(judged(same).claims);
    return {
      label: ablationLabel(ablation),
      claims: inOrder(changed),
      beside: claims.map((claim, index) => beside[index] ?? { ...claim, agrees: null }),
    };
  });
  return explainedBy(claims, ablated);
}

/** The common parts of the reports of simulation and lab. */
function reportOf({
  figures,
  background,
  delays,
}: AqmFindings): Omit<ExperimentReport, 'simulated' | 'method' | 'claims'> {
  const isQueue = ({ figure }: AqmFigure): boolean => figure >= 12;
  return {
    name: 'aqm',
    title: 'PIE and FQ-PIE under DASH over MPTCP',
    paper: PAPER,
    tables: [
      tableOf(
        'Figs. 2 to 13',
        figures,
        'Means over the trials with their 95 % confidence intervals.',
      ),
      tableOf('The links and the background traffic', background, ''),
    ],
    figures: [
      ...figures.filter((one) => !isQueue(one)).map(barsOf),
      ...figures.filter(isQueue).map((one) => linesOf(one, delays)),
    ],
  };
}

export function reportAqm(all: readonly AqmResult[]): ExperimentReport {
  const results = all.filter(({ job }) => job.ablation === undefined);
  const findings = judged(results);
  const trials = new Set(results.map(({ job }) => job.trial)).size;
  const { durationMs = 0, topology, traffic = [] } = results[0]?.job.scenario ?? {};
  const rateBps = topology?.links.find(({ id }) => id === 'r1-r3')?.ab.rateBps ?? 0;
  const calls = traffic.find((spec) => spec.calls !== undefined)?.calls;
  return {
    ...reportOf(findings),
    simulated: true,
    method: [
      `${trials} trials of ${durationMs / 1000} s of each of the six scenarios that the lab plays too (scenarios/aqm): the paper’s dumbbell with bottlenecks of ${rateBps / 1e6} Mbit/s and 10 ms, beside each of them five downloads, ${calls?.perSecond ?? 0} calls a second of ${(calls?.holdMs ?? 0) / 1000} s, which are one flow, and fifteen web objects a second. The paper gives neither the rate nor the length of calls.`,
      'A queue’s delay is that of the packets that left it, without the first ten seconds, in which all flows start. For FQ-PIE there is the paper’s too: every second, the mean over the active flow queues.',
      'The player takes the highest rung below nine tenths of the harmonic mean of the last five throughputs, as rate-based as GPAC’s; 10 s of buffer; video and audio on an MPTCP connection each, with the mainline scheduler and uncoupled cubic over both paths.',
      'Calls are RTP both ways without signalling; web objects come over a connection each, without FIN. The queues are held against the same vectors as the lab’s. Figures and verdicts are made by the code that makes those of the lab.',
    ],
    claims: explained(findings.claims, all),
  };
}

/** The report of the lab's trials. Its figures and verdicts are made by the code that makes those of the simulator. */
export function reportAqmKernel(all: readonly AqmResult[]): ExperimentReport {
  const results = all.filter(({ job }) => job.ablation === undefined);
  const findings = judged(results);
  const trials = new Set(results.map(({ job }) => job.trial)).size;
  const { durationMs = 0 } = results[0]?.job.scenario ?? {};
  return {
    ...reportOf(findings),
    name: 'aqm-kernel',
    simulated: false,
    method: [
      `${trials} trials of ${durationMs / 1000} s of each of the six scenarios (scenarios/aqm), in turns, in the lab: emulated links with the queue under test, Linux MPTCP, nginx, Chromium with dash.js's default rule; iperf3, SIPp and h2load make the background.`,
      'A ratio is of FQ-PIE to PIE between runs of the same target and seed, one mean over the targets a trial, with its 95 % confidence interval. It agrees where the whole interval is what the paper says, and differs where the whole interval lies elsewhere; all else is undecided by these trials. A queue keeps its target where its mean delay after the first ten seconds is within a quarter of it, or 2 ms where that is more.',
    ],
    claims: explained(findings.claims, all),
    claimsNote: SOME_CHANGES,
  };
}
