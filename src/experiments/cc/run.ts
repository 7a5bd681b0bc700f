import {
  congestionControls,
  every,
  LinkDirection,
  MasterControl,
  MptcpConnection,
  Olia,
  schedulers,
  Simulation,
  WVegas,
  type CreateCongestion,
  type MptcpOptions,
} from '../../sim';
import { DelayMeter } from './delay-meter';
import type { CcJob, CcOutcome, Coupled } from './job';
import { outcomeOf, SAMPLE_MS } from './series';

/** More than any run carries. */
const ENDLESS_BYTES = 2 ** 50;

/** The coupled control of a pair, in the reading that the job asks for. */
function coupledControl(coupled: Coupled, ablation: CcJob['ablation']): CreateCongestion {
  if (ablation === 'olia-kernel-ranking') return (group) => new Olia(group, 'kernel');
  if (ablation === 'wvegas-instant-rate') return (group) => new WVegas(group, 'instant-rate');
  return congestionControls[coupled];
}

/** Creates the subflows' controls and the scheduler above them. */
function governed({
  control,
  ablation,
}: CcJob): Pick<MptcpOptions, 'createCongestion' | 'createScheduler'> {
  // The default of MPTCP 0.95.
  const usual = schedulers['min-rtt'];
  const isShared = ablation === 'as-in-the-kernel';
  const createScheduler =
    ablation === 'mainline-scheduler' || isShared ? schedulers.mainline : usual;
  if (control.kind === 'alone') {
    return { createCongestion: congestionControls[control.name], createScheduler };
  }
  const { coupled, path, scope } = control;
  const master = new MasterControl(
    coupledControl(coupled, ablation),
    congestionControls[path],
    isShared ? 'shared-total' : scope,
  );
  return {
    createCongestion: master.createCongestion,
    createScheduler: (group) => master.schedule(createScheduler(), group),
  };
}

/** A download at full speed, from the handshake on. */
export function runCc(job: CcJob): CcOutcome {
  const { paths, durationMs, seed } = job;
  const simulation = new Simulation(seed);
  const downs = paths.map(
    ({ down }, index) => new LinkDirection(simulation, `path ${index + 1} down`, down),
  );
  const ups = paths.map(
    ({ up }, index) => new LinkDirection(simulation, `path ${index + 1} up`, up),
  );
  const connection: MptcpConnection = new MptcpConnection(simulation, {
    ...governed(job),
    paths: downs.map((down, index) => ({ there: ups.slice(index, index + 1), back: [down] })),
    flow: 1,
    onEstablished: () => connection.server.send(ENDLESS_BYTES),
  });
  const meter = new DelayMeter(connection.server, paths.length, () => simulation.nowNs);
  const receivedBytes: number[] = [];
  every(simulation, SAMPLE_MS * 1e6, () => {
    meter.sample();
    receivedBytes.push(connection.client.receivedBytes);
  });
  connection.connect();
  simulation.run(durationMs * 1e6);
  const { protocolMs, holMs, srttMs } = meter;
  const drops = downs.map((down) => {
    const { inPackets, queueDrops, lossDrops, stateDrops } = down.stats();
    const dropped = queueDrops + lossDrops + stateDrops;
    return {
      dropsPerSecond: (dropped * 1000) / durationMs,
      dropRatio: inPackets > 0 ? dropped / inPackets : 0,
    };
  });
  const totalBytes = connection.client.receivedBytes;
  return outcomeOf(
    { protocolMs, holMs, srttMs, receivedBytes, totalBytes, durationMs, paths: drops },
    job.trial === 1 && job.ablation === undefined,
  );
}
