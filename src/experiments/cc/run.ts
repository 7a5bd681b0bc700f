import { mean } from '../../core';
import {
  congestionControls,
  every,
  LinkDirection,
  MasterControl,
  MptcpConnection,
  schedulers,
  Simulation,
  type MptcpOptions,
} from '../../sim';
import { DelayMeter } from './delay-meter';
import type { CcJob, CcOutcome, Control } from './job';

const SAMPLE_NS = 10e6;
/** Averaging time of the maximum throughput. */
const GOODPUT_SAMPLES = 50;
/** Interval between points of a plot. */
const POINT_SAMPLES = 10;
/** More than any run carries. */
const ENDLESS_BYTES = 2 ** 50;

/** Creates the subflows' controls and the scheduler above them. */
function governed(control: Control): Pick<MptcpOptions, 'createCongestion' | 'createScheduler'> {
  // The default of MPTCP 0.95.
  const createScheduler = schedulers['min-rtt'];
  if (control.kind === 'alone') {
    return { createCongestion: congestionControls[control.name], createScheduler };
  }
  const { coupled, path, scope } = control;
  const master = new MasterControl(congestionControls[coupled], congestionControls[path], scope);
  return {
    createCongestion: master.createCongestion,
    createScheduler: (group) => master.schedule(createScheduler(), group),
  };
}

/** Bits per second over the `count` samples before each sample. */
function goodputsOver(receivedBytes: readonly number[], count: number): number[] {
  return receivedBytes.slice(count).map((bytes, index) => {
    const before = receivedBytes[index] ?? 0;
    return ((bytes - before) * 8e9) / (count * SAMPLE_NS);
  });
}

const thinned = (values: readonly number[]): number[] =>
  values.filter((_, index) => index % POINT_SAMPLES === 0);

const toMax = (values: readonly number[]): number | null =>
  values.length > 0 ? Math.max(...values) : null;

/** A download at full speed, from the handshake on. */
export function runCc({ control, paths, durationMs, trial, seed }: CcJob): CcOutcome {
  const simulation = new Simulation(seed);
  const downs = paths.map(
    ({ down }, index) => new LinkDirection(simulation, `path ${String(index + 1)} down`, down),
  );
  const ups = paths.map(
    ({ up }, index) => new LinkDirection(simulation, `path ${String(index + 1)} up`, up),
  );
  const connection: MptcpConnection = new MptcpConnection(simulation, {
    ...governed(control),
    paths: downs.map((down, index) => ({ there: ups.slice(index, index + 1), back: [down] })),
    flow: 1,
    onEstablished: () => connection.server.send(ENDLESS_BYTES),
  });
  const meter = new DelayMeter(connection.server, paths.length, () => simulation.nowNs);
  const receivedBytes: number[] = [];
  every(simulation, SAMPLE_NS, () => {
    meter.sample();
    receivedBytes.push(connection.client.receivedBytes);
  });
  connection.connect();
  simulation.run(durationMs * 1e6);
  const goodputs = goodputsOver(receivedBytes, GOODPUT_SAMPLES);
  return {
    protocolMeanMs: mean(meter.protocolMs) ?? null,
    protocolMaxMs: toMax(meter.protocolMs),
    holMeanMs: mean(meter.holMs) ?? null,
    holMaxMs: toMax(meter.holMs),
    goodputMeanBps: (connection.client.receivedBytes * 8e3) / durationMs,
    goodputMaxBps: toMax(goodputs) ?? 0,
    paths: downs.map((down, index) => {
      const { inPackets, queueDrops, lossDrops, stateDrops } = down.stats();
      const drops = queueDrops + lossDrops + stateDrops;
      const srtts = meter.srttMs[index] ?? [];
      return {
        srttMeanMs: mean(srtts) ?? null,
        srttMaxMs: toMax(srtts),
        dropsPerSecond: (drops * 1000) / durationMs,
        dropRatio: inPackets > 0 ? drops / inPackets : 0,
      };
    }),
    ...(trial === 1
      ? {
          series: {
            protocolMs: thinned(meter.protocolMs),
            holMs: thinned(meter.holMs),
            goodputBps: thinned(goodputsOver(receivedBytes, POINT_SAMPLES)),
            srttMs: meter.srttMs.map(thinned),
          },
        }
      : {}),
  };
}
