import type { QueueSpec } from '../../../src/scenario';
import { type Dumbbell, simulateDumbbell } from '../dumbbell';
import type { Section, TruthOptions, TruthRow } from '../rows';
import { findNs3, type Ns3 } from './ns3';

const DISCIPLINES = ['droptail', 'pie', 'fq_pie'] as const;
const NOTES: Partial<Record<QueueSpec['discipline'], string>> = {
  pie: "ns-3 learns the delay from the last packet that left, ours from the queue's head, as the emulator",
  fq_pie: 'ns-3 drops several times as many packets here; not judged',
};

function dumbbell(flows: number, discipline: QueueSpec['discipline'], quick: boolean): Dumbbell {
  return {
    flows,
    congestion: 'cubic',
    rateBps: 10e6,
    delayMs: 18,
    queue: { discipline },
    queuePackets: discipline === 'droptail' ? 101 : 1000,
    seconds: quick ? 30 : 60,
    warmUpSeconds: quick ? 5 : 10,
    seed: 1,
  };
}

function compare(ns3: Ns3 & { ok: true }, given: Dumbbell): TruthRow[] {
  const theirs = ns3.run(given, true);
  const ours = simulateDumbbell(given);
  const { discipline } = given.queue;
  const name = `${given.flows} x Cubic, ${discipline}`;
  const sum = (bps: readonly number[]): number => bps.reduce((all, one) => all + one, 0) / 1e6;
  const delay: TruthRow = {
    what: `${name}: mean queue delay`,
    unit: 'ms',
    truth: theirs.queueDelayMs,
    simulated: ours.queueDelayMs,
  };
  const note = NOTES[discipline];
  if (note !== undefined) delay.note = note;
  if (discipline === 'droptail') delay.boundRatio = 0.1;
  // A third of the target.
  else if (discipline === 'pie') delay.boundDifference = 5;
  return [
    {
      what: `${name}: goodput of all`,
      unit: 'Mbit/s',
      truth: sum(theirs.goodputBps),
      simulated: sum(ours.goodputBps),
      boundRatio: 0.05,
    },
    delay,
  ];
}

/** Compares the simulator with ns-3 on the same dumbbell. */
export function checkNs3({ quick, progress }: TruthOptions): Section {
  const ns3 = findNs3();
  const title = 'ns-3, Debian package: dumbbell of 10 Mbit/s and 40 ms, three links each way';
  if (!ns3.ok) return { name: 'ns3', title, rows: [], refusal: ns3.reason };
  const rows: TruthRow[] = [];
  for (const flows of quick ? [4] : [1, 4]) {
    for (const discipline of DISCIPLINES) {
      progress(`ns-3 ${ns3.version}: ${flows} flows, ${discipline}`);
      rows.push(...compare(ns3, dumbbell(flows, discipline, quick)));
    }
  }
  return { name: 'ns3', title: `${title} (${ns3.version})`, rows };
}
