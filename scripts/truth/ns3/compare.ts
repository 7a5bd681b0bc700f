import { mean } from '../../../src/core';
import type { QueueSpec } from '../../../src/scenario';
import { simulateDumbbell, type Dumbbell, type DumbbellResult } from '../dumbbell';
import type { Section, TruthOptions, TruthRow } from '../rows';
import { findNs3 } from './ns3';

const DISCIPLINES = ['droptail', 'pie', 'fq_pie'] as const;
/** With PIE and FQ-PIE, which drop at random. */
const TRIALS = 2;
const HEAD_NOTE =
  "ns-3 learns the delay from the last packet that left, ours from the queue's head, as the emulator";
const OWN_NOTE =
  "ns-3's own Cubic: after a time-out its window jumps by all segments that one acknowledgement covers";

function dumbbell(
  flows: number,
  discipline: QueueSpec['discipline'],
  quick: boolean,
  seed: number,
): Dumbbell {
  return {
    flows,
    congestion: 'cubic',
    rateBps: 10e6,
    delayMs: 18,
    queue: { discipline },
    queuePackets: discipline === 'droptail' ? 101 : 1000,
    seconds: quick ? 30 : 60,
    warmUpSeconds: quick ? 5 : 10,
    seed,
  };
}

interface Figures {
  goodputMbps: number;
  queueDelayMs: number;
  dropPercent: number;
}

function meanFigures(results: readonly DumbbellResult[]): Figures {
  const meanOf = (read: (result: DumbbellResult) => number): number => mean(results.map(read)) ?? 0;
  return {
    goodputMbps: meanOf(({ goodputBps }) => goodputBps.reduce((sum, one) => sum + one, 0) / 1e6),
    queueDelayMs: meanOf(({ queueDelayMs }) => queueDelayMs),
    dropPercent: meanOf(({ drops, packets }) => (100 * drops) / (drops + packets)),
  };
}

function compare(name: string, theirs: Figures, ours: Figures, isDroptail: boolean): TruthRow[] {
  const row = (what: string, unit: string, read: keyof Figures): TruthRow => ({
    ...{ what: `${name}: ${what}`, unit, truth: theirs[read], simulated: ours[read] },
  });
  return [
    { ...row('goodput of all', 'Mbit/s', 'goodputMbps'), boundRatio: 0.05 },
    {
      ...row('mean queue delay', 'ms', 'queueDelayMs'),
      // A third of the target.
      ...(isDroptail ? { boundRatio: 0.1 } : { boundDifference: 5, note: HEAD_NOTE }),
    },
    row('dropped', '%', 'dropPercent'),
  ];
}

/** Rows that show the effect of ns-3's own slow start; not judged. */
function withOwnControl(name: string, theirs: Figures, ours: Figures): TruthRow[] {
  return compare(`${name}, ns-3's own Cubic`, theirs, ours, false).map(
    ({ what, unit, truth, simulated }) => ({ what, unit, truth, simulated, note: OWN_NOTE }),
  );
}

/** Compares the simulator with ns-3 on the same dumbbell. */
export function checkNs3({ quick, progress }: TruthOptions): Section {
  const ns3 = findNs3();
  const title =
    'ns-3, Debian package: dumbbell of 10 Mbit/s and 40 ms, three links each way; Cubic with the slow start of RFC 3465 on both sides';
  if (!ns3.ok) return { name: 'ns3', title, rows: [], refusal: ns3.reason };
  const rows: TruthRow[] = [];
  for (const flows of quick ? [4] : [1, 4]) {
    for (const discipline of DISCIPLINES) {
      const isDroptail = discipline === 'droptail';
      // Without random drops every seed gives the same.
      const seeds = Array.from({ length: isDroptail || quick ? 1 : TRIALS }, (_, seed) => seed + 1);
      const cases = seeds.map((seed) => dumbbell(flows, discipline, quick, seed));
      const name = `${flows} x Cubic, ${discipline}`;
      progress(`ns-3 ${ns3.version}: ${name}`);
      const ours = meanFigures(cases.map(simulateDumbbell));
      const theirs = meanFigures(cases.map((one) => ns3.run(one, true)));
      rows.push(...compare(name, theirs, ours, isDroptail));
      if (isDroptail || flows === 1) continue;
      progress(`ns-3 ${ns3.version}: ${name}, its own Cubic`);
      const own = meanFigures(cases.map((one) => ns3.run(one, true, 'cubic-ns3')));
      rows.push(...withOwnControl(name, own, ours));
    }
  }
  const trials = quick ? '' : `, means of ${TRIALS} trials with PIE and FQ-PIE`;
  return { name: 'ns3', title: `${title}${trials} (${ns3.version})`, rows };
}
