import type { CcJob, CcOutcome } from './job';
import { outcomeOf, SAMPLE_MS } from './series';
import { readWireRecord, wireDelays } from './wire-delays';

/** The counters of the kernels at both ends at one moment. */
export interface KernelSample {
  /** CLOCK_MONOTONIC. */
  atUs: number;
  /** In-order bytes of the download at the client. */
  receivedBytes: number;
  /** Smoothed round trips at the server, by path; null without a measurement. */
  srttMs: readonly (number | null)[];
}

/** Packets of a link on the way to the client, over the measured time. */
export interface LinkCount {
  inPackets: number;
  drops: number;
}

/** All that was seen of one run in the lab. */
export interface KernelRun {
  samples: readonly KernelSample[];
  links: readonly LinkCount[];
  /** The emulator's record, and the links of the paths in order. */
  record: string;
  linkNames: readonly string[];
}

/** The latest sample at each period's end. */
function atPeriods(
  samples: readonly KernelSample[],
  startUs: number,
  durationMs: number,
): KernelSample[] {
  const found: KernelSample[] = [];
  let place = 0;
  for (let ms = SAMPLE_MS; ms <= durationMs; ms += SAMPLE_MS) {
    while ((samples[place + 1]?.atUs ?? Infinity) <= startUs + ms * 1000) place += 1;
    const sample = samples[place];
    if (sample !== undefined) found.push(sample);
  }
  return found;
}

/**
 * Table 3's quantities of a run in the kernel.
 * @throws Error if the download was not seen, or used one path only
 */
export function kernelOutcome(
  { paths, durationMs, trial }: Pick<CcJob, 'paths' | 'durationMs' | 'trial'>,
  { samples, links, record, linkNames }: KernelRun,
): CcOutcome {
  const wire = readWireRecord(record, linkNames);
  if (wire === undefined) throw new Error('no MPTCP data on the links: the connection fell back');
  const used = new Set(wire.sent.map(({ path }) => path)).size;
  if (used < paths.length) throw new Error(`only ${used} of the paths carried data`);
  const periods = atPeriods(samples, wire.startUs, durationMs);
  const last = periods.at(-1);
  if (last === undefined) throw new Error('the kernel gave no samples of the download');
  // A path that has no round trip yet has none in the first samples only.
  const bySample = paths.map((_, path) => periods.map(({ srttMs }) => srttMs[path] ?? 0));
  return outcomeOf(
    {
      ...wireDelays(wire, bySample, durationMs),
      srttMs: bySample.map((one) => one.filter((ms) => ms > 0)),
      receivedBytes: periods.map(({ receivedBytes }) => receivedBytes),
      totalBytes: last.receivedBytes,
      durationMs,
      paths: links.map(({ inPackets, drops }) => ({
        dropsPerSecond: (drops * 1000) / durationMs,
        dropRatio: inPackets > 0 ? drops / inPackets : 0,
      })),
    },
    trial === 1,
  );
}
