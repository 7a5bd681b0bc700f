import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../core';
import type { TrafficResult, TrafficSpec } from '../../scenario';
import { LabError } from '../errors';
import { missingTool, tryCommand } from '../run-command';
import { startFtp } from './ftp';
import type { TrafficPieces, TrafficSite } from './pieces';
import { waitUntilReachable } from './readiness';
import type { RunningTraffic, StartTraffic, TrafficNetwork } from './running-traffic';
import { startVoip } from './voip';
import { startWeb } from './web';

const PROGRAMS: Readonly<Record<TrafficSpec['kind'], string>> = {
  ftp: 'iperf3',
  voip: 'sipp',
  web: 'h2load',
};
const STARTERS: Readonly<
  Record<TrafficSpec['kind'], (site: TrafficSite) => Promise<TrafficPieces>>
> = { ftp: startFtp, voip: startVoip, web: startWeb };
const FOLDER = 'traffic';

/**
 * Checks that the programs of these kinds of traffic are installed, before anything starts.
 * @throws LabError TOOL_MISSING with the apt command
 */
export async function checkTrafficPrograms(
  specs: readonly Pick<TrafficSpec, 'kind'>[],
): Promise<void> {
  for (const kind of new Set(specs.map((spec) => spec.kind))) {
    const program = PROGRAMS[kind];
    const found = await tryCommand('sh', ['-c', 'command -v "$0"', program]);
    if (found.exitCode !== 0) throw missingTool(program);
  }
}

function firstAddress(network: TrafficNetwork, node: string): string {
  const [address] = network.addressesOf(node);
  if (address === undefined) throw new LabError('BAD_OPTION', `node ${node} has no address`);
  return address;
}

function checkSpec(spec: TrafficSpec): void {
  if (spec.intensity > 0 && (spec.kind === 'web' || Number.isInteger(spec.intensity))) return;
  throw new LabError(
    'BAD_OPTION',
    `traffic ${spec.id}: intensity ${spec.intensity} is not a ${spec.kind === 'web' ? '' : 'whole '}number above 0`,
  );
}

/** A result with only the reason for its failure. */
export function failedResult(
  spec: TrafficSpec,
  error: unknown,
  files: readonly string[] = [],
): TrafficResult {
  const text = errorText(error);
  const { id, kind } = spec;
  return { id, kind, program: PROGRAMS[kind], outcome: 'failed', error: text, files };
}

async function outputFiles(dir: string, prefix: string): Promise<string[]> {
  const names = await readdir(dir).catch((): string[] => []);
  // A dot: no name contains one, so that "ftp-1" does not match files of "ftp-1-back".
  const ours = names.filter((name) => name.startsWith(`${prefix}.`) && !name.endsWith('.alaw'));
  return ours.sort().map((name) => `${FOLDER}/${name}`);
}

async function stopAndRead(pieces: TrafficPieces, site: TrafficSite): Promise<TrafficResult> {
  const { id, kind } = site.spec;
  await pieces.beforeStop?.().catch(() => undefined);
  for (const program of pieces.programs) program.expectEnd();
  const deaths: string[] = [];
  for (const program of pieces.programs) {
    const death = await program.explainEarlyEnd();
    if (death !== undefined) deaths.push(death);
    await program.stop();
  }
  await pieces.afterStop?.();
  const files = await outputFiles(site.dir, site.prefix);
  try {
    const measured = await pieces.read();
    const base = { id, kind, program: pieces.program, ...measured, files };
    if (deaths.length === 0) return { ...base, outcome: 'ok' };
    return { ...base, outcome: 'failed', error: deaths.join('; ') };
  } catch (error) {
    return failedResult(site.spec, deaths.length === 0 ? error : deaths.join('; '), files);
  }
}

/** See {@link StartTraffic}. */
export const startTraffic: StartTraffic = async (spec, network, trialDir, options = {}) => {
  checkSpec(spec);
  await checkTrafficPrograms([spec]);
  const dir = join(trialDir, FOLDER);
  await mkdir(dir, { recursive: true });
  let isStopping = false;
  let hasReported = false;
  const site: TrafficSite = {
    spec,
    network,
    fromNetns: network.netnsOf(spec.from),
    fromAddress: firstAddress(network, spec.from),
    toNetns: network.netnsOf(spec.to),
    toAddress: firstAddress(network, spec.to),
    dir,
    prefix: spec.id,
    onEarlyEnd: () => {
      if (isStopping || hasReported) return;
      hasReported = true;
      options.onFailure?.(`traffic ${spec.id}: a program ended by itself`);
    },
  };
  await waitUntilReachable(site.fromNetns, site.toAddress, options.signal);
  options.signal?.throwIfAborted();
  const pieces = await STARTERS[spec.kind](site);
  let stopped: Promise<TrafficResult> | undefined;
  const stop = (): Promise<TrafficResult> => {
    isStopping = true;
    stopped ??= stopAndRead(pieces, site);
    return stopped;
  };
  return { stop } satisfies RunningTraffic;
};
