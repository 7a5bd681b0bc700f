import { estimate } from '../../report';
import type {
  ExperimentFigure,
  ExperimentOptions,
  ExperimentReport,
  ExperimentTable,
} from '../types';
import { ablationTable, readingsTable } from './ablation-tables';
import { explained } from './ablations';
import { Cells, type CellName } from './cells';
import { stickyClaims } from './claims';
import {
  DISCARDS,
  FROZEN,
  sentAgain,
  START_DELAY,
  SWITCHES,
  throughput,
  UNDERFLOWS,
  type NamedMeasure,
} from './measures';
import type { StickyJob, StickyOutcome } from './run-sticky';
import {
  BUFFERS,
  controlNames,
  FILM,
  PLAYER,
  QUICK_FILM_MS,
  scenarios,
  schedulerNames,
  WIFI_LOSS,
} from './set-up';

export const PAPER =
  'Nagayama, Cavendish, Nobayashi, Ikenaga: Managing Path Switching in Multipath Video Streaming';

const FLOWS = [0, 1, 2];

type ScenarioId = CellName['scenario'];

/** The paper's figures of a scenario; it shows switches and throughput of the base scenario alone. */
const FIGURE_OF: Readonly<Record<ScenarioId, { video: string; switches: string }>> = {
  base: { video: 'Fig. 4', switches: 'Fig. 5' },
  '3p-50': { video: 'Fig. 7', switches: 'No figure' },
  '3p-150': { video: 'Fig. 8', switches: 'No figure' },
};

/** Fig. 6 has a panel for each scheduler, with DFT in a (section VI-A); the order of the others is Table I's. */
const PANEL_OF = { DFT: 'a', 'GR-STY': 'b', 'TP-STY': 'c', 'TR-STY': 'd' } as const;

export function reportSticky(
  results: readonly { job: StickyJob; outcome: StickyOutcome }[],
  { quick }: Pick<ExperimentOptions, 'quick'>,
): ExperimentReport {
  const cells = new Cells(results.filter(({ job }) => job.ablation === undefined));
  const seconds = (quick ? QUICK_FILM_MS : FILM.lengthMs) / 1000;
  const per = `per film of ${seconds} s`;
  return {
    name: 'sticky',
    title: 'Sticky path switching: progressive video over three paths',
    paper: PAPER,
    simulated: true,
    method: method(seconds),
    tables: [
      bySchedulers(cells, UNDERFLOWS, `Figs. 4, 7, 8: buffer underflows, ${per}`),
      bySchedulers(cells, DISCARDS, `Figs. 4, 7, 8: pictures discarded, ${per}`),
      bySchedulers(cells, SWITCHES, `Fig. 5: path switches, ${per}`),
      throughputs(cells),
      viewing(cells),
      ...(results.some(({ job }) => job.ablation !== undefined)
        ? [readingsTable(results), ablationTable(results)]
        : []),
    ],
    figures: [
      ...scenarios.flatMap(({ id }) => [
        byControls(cells, id, UNDERFLOWS, FIGURE_OF[id].video),
        byControls(cells, id, DISCARDS, FIGURE_OF[id].video),
        byControls(cells, id, SWITCHES, FIGURE_OF[id].switches),
      ]),
      ...scenarios.flatMap(({ id }) =>
        schedulerNames.map((scheduler) => rates(cells, id, scheduler)),
      ),
    ],
    claims: explained(stickyClaims(cells), results),
  };
}

function method(seconds: number): string[] {
  return [
    'Paths of Table II: 2 Mbit/s each; base 50, 100, 100 ms; 3p-50 the same with 2 % loss on the first; 3p-150 150, 200, 200 ms with 2 % loss on the first. Loss is on the way to the client. Flows 1 and 2 also lose ' +
      `${100 * WIFI_LOSS} % on Wi-Fi, flow 3 is wired: the paper has such losses and does not count them.`,
    `A film of ${seconds} s at 5.24 Mbit/s, ${FILM.framesPerSecond} pictures a second (Table I: 624 s), with I, P and B pictures drawn by seed; all cells of a trial see the same film.`,
    `The player stands for VLC: it begins with ${PLAYER.bufferMs} ms of video, discards a picture of which a part is missing at its time, freezes when nothing is there, goes on once it has ${PLAYER.bufferMs} ms again, at ${PLAYER.catchUpRate} times the rate until no picture is late; more than ${PLAYER.maxLateMs} ms behind it takes a new clock. These times are VLC's defaults, the rate is our choice: the paper gives neither.`,
    `What the player does not take stays in a receive buffer of ${BUFFERS.receiveBufferBytes / 1024} KiB. Each link has a droptail queue of ${BUFFERS.queueBytes / 1000} kB. The paper gives neither.`,
    'TR-STY moves to a path that is faster and nearer. The paper prints the condition on round trips the other way round, against its own analysis; a table shows both.',
    'DFT is the shortest round trip with room in its window, without the opportunistic retransmission of the MPTCP of its time.',
    'Path switches are data packets in a row that go into the network on different subflows. Throughput is payload acknowledged on a subflow over the time it took to load the film.',
    "The paper's figures are images without numbers in its text, so its statements are compared, not its values. It shows means with minimum and maximum, and does not give the number of runs; here means have 95 % confidence intervals, and schedulers are compared trial by trial.",
  ];
}

function bySchedulers(cells: Cells, measure: NamedMeasure, title: string): ExperimentTable {
  return {
    title,
    columns: [
      { label: 'Scenario' },
      { label: 'Control' },
      ...schedulerNames.map((label) => ({ label, digits: measure.digits })),
    ],
    rows: scenarios.flatMap(({ id }) =>
      controlNames.map((control) => [
        id,
        control,
        ...schedulerNames.map((scheduler) =>
          estimateOf(cells, { scenario: id, control, scheduler }, measure),
        ),
      ]),
    ),
    note: '',
  };
}

function perCell(
  cells: Cells,
  title: string,
  columns: readonly { measure: NamedMeasure; unit: string }[],
  note: string,
): ExperimentTable {
  return {
    title,
    columns: [
      { label: 'Scenario' },
      { label: 'Control' },
      { label: 'Scheduler' },
      ...columns.map(({ measure: { label, digits }, unit }) => ({ label, unit, digits })),
    ],
    rows: scenarios.flatMap(({ id }) =>
      controlNames.flatMap((control) =>
        schedulerNames.map((scheduler) => [
          id,
          control,
          scheduler,
          ...columns.map(({ measure }) =>
            estimateOf(cells, { scenario: id, control, scheduler }, measure),
          ),
        ]),
      ),
    ),
    note,
  };
}

function throughputs(cells: Cells): ExperimentTable {
  const columns = [
    ...FLOWS.map((flow) => ({ measure: throughput(flow), unit: 'Mbit/s' })),
    ...FLOWS.map((flow) => ({ measure: sentAgain(flow), unit: '%' })),
  ];
  return perCell(cells, 'Fig. 6: throughput of each subflow', columns, 'Flow 1 is the shortest.');
}

function viewing(cells: Cells): ExperimentTable {
  const columns = [
    { measure: START_DELAY, unit: 's' },
    { measure: FROZEN, unit: 's' },
  ];
  return perCell(cells, 'Waiting time of the viewer', columns, 'The paper has no such figure.');
}

function byControls(
  cells: Cells,
  scenario: ScenarioId,
  measure: NamedMeasure,
  place: string,
): ExperimentFigure {
  return {
    title: `${place}: ${measure.label.toLowerCase()}, ${scenario}`,
    kind: 'bars',
    x: { label: 'Congestion control', names: controlNames },
    y: { label: `${measure.label} per film`, from: 0 },
    series: schedulerNames.map((scheduler) => ({
      label: scheduler,
      points: points(
        controlNames.map((control) => estimateOf(cells, { scenario, control, scheduler }, measure)),
      ),
    })),
    note: '',
  };
}

function rates(
  cells: Cells,
  scenario: ScenarioId,
  scheduler: CellName['scheduler'],
): ExperimentFigure {
  const place = scenario === 'base' ? `Fig. 6 ${PANEL_OF[scheduler]}` : 'No figure';
  return {
    title: `${place}: throughput, ${scenario}, ${scheduler}`,
    kind: 'bars',
    x: { label: 'Congestion control', names: controlNames },
    y: { label: 'Throughput', unit: 'Mbit/s', from: 0 },
    series: FLOWS.map((flow) => ({
      label: `Flow ${flow + 1}`,
      points: points(
        controlNames.map((control) =>
          estimateOf(cells, { scenario, control, scheduler }, throughput(flow)),
        ),
      ),
    })),
    note: '',
  };
}

function estimateOf(
  cells: Cells,
  cell: CellName,
  { of }: NamedMeasure,
): ReturnType<typeof estimate> {
  return estimate([...cells.of(cell, of).values()]);
}

/** The simulated values, at their positions. */
function points(
  values: readonly ReturnType<typeof estimate>[],
): ExperimentFigure['series'][number]['points'] {
  return values.flatMap(({ mean, low, high }, x) => {
    if (mean === null) return [];
    return low === null || high === null ? [{ x, y: mean }] : [{ x, y: mean, low, high }];
  });
}
