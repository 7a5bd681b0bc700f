import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createRandom, errorText } from '../../core';
import { SANDBOX_DIR, type PreparedMedia } from '../../lab';
import { findBrowser } from '../host/browser';
import { soakActions } from './actions';
import { SoakMeter } from './meter';
import { openSoakNetwork, SOAK_PATHS, type SoakNetwork } from './network';
import { PlayerPage } from './player-page';
import { PlayerProcess } from './player-process';
import { createRecord, endSoak, soakFolder, type SoakRecord } from './record';
import type { SoakSample } from './sample';
import { noViewerRecord, Viewer } from './viewer';

export interface SoakOptions {
  forMs: number;
  /** Caches and heaps grow to their working size in this time; no figure counts. */
  warmUpMs: number;
  seed: number;
  film: PreparedMedia;
  /** The command line's script, which starts `play`. */
  program: string;
  /** Further arguments of `play`. */
  play: readonly string[];
  outDir: string;
  machine: Record<string, string | number>;
  signal: AbortSignal;
  /** Called every minute with the newest sample. */
  onProgress: (sample: SoakSample) => void;
}

/** Interval of samples: four in the shortest window of the verdict. */
const SAMPLE_EVERY_MS = 15_000;
const PROGRESS_EVERY_MS = 60_000;
/** Resident memory is a saw-tooth of a quarter of an hour; what a collection leaves shows a leak much earlier. */
const COLLECT_EVERY_MS = 3 * 60_000;
/** The sandbox has a network of its own, so no other program has the port. */
const DEVTOOLS_PORT = 9222;
/**
 * Reloads happen in this first part of the run only. A long session takes more memory than short ones, and reached it 15 min
 * after the last reload (docs/soak.md): before the warm-up of a run of two hours ends.
 */
const RELOADING_SHARE = 0.25;
/** Less than a blackout lasts, so that playback stalls. */
const BUFFER_SECONDS = 10;
/** Bytes that the second network may carry for a page: used up after some minutes. */
const METERED = 'path2=15MB';

interface Ending {
  ended: Exclude<SoakRecord['ended'], 'running'>;
  fault?: string;
}

/** Plays for hours, inside the sandbox. @throws LabError when the network cannot be made */
export async function runSoak(options: SoakOptions): Promise<SoakRecord> {
  const over = new AbortController();
  const end = (ending: Ending): void => over.abort(ending);
  const network = await openSoakNetwork(options.film, options.seed, (error) =>
    end({ ended: 'failed', fault: errorText(error) }),
  );
  const interrupt = (): void => end({ ended: 'interrupted' });
  options.signal.addEventListener('abort', interrupt);
  if (options.signal.aborted) interrupt();
  try {
    return await play(network, options, over.signal, end);
  } finally {
    options.signal.removeEventListener('abort', interrupt);
    await network.close();
  }
}

async function play(
  network: SoakNetwork,
  options: SoakOptions,
  signal: AbortSignal,
  end: (ending: Ending) => void,
): Promise<SoakRecord> {
  const { outDir, forMs, warmUpMs, seed } = options;
  const playArguments = [
    ...['--headless', '--buffer', String(BUFFER_SECONDS), '--metered', METERED],
    ...options.play,
  ];
  const run = {
    startedAt: new Date().toISOString(),
    machine: options.machine,
    settings: { forMs, warmUpMs, seed, play: playArguments },
  };
  const folder = soakFolder(outDir);
  const player = new PlayerProcess(
    [options.program, 'play', network.url, '--out', outDir, ...playArguments],
    { ...process.env, MULTIPATH_DASH_BROWSER: browserWithDevtools() },
  );
  void player.ended.then((status) =>
    end({ ended: 'failed', fault: `play ended with ${status}\n${player.output}`.trim() }),
  );
  const periodic: NodeJS.Timeout[] = [];
  const every = (periodMs: number, work: () => Promise<void> | void): void => {
    const attempt = async (): Promise<void> => work();
    const fail = (error: unknown): void => end({ ended: 'failed', fault: errorText(error) });
    periodic.push(setInterval(() => void attempt().catch(fail), periodMs));
  };
  let page: PlayerPage | undefined;
  let meter: SoakMeter | undefined;
  let viewer: Viewer | undefined;
  const recordSoFar = (ending: Ending | { ended: 'running' }): SoakRecord =>
    createRecord(
      { ...run, ...ending, viewer: viewer?.record ?? noViewerRecord() },
      meter?.samples ?? [],
      meter?.collected ?? [],
    );
  try {
    page = await PlayerPage.open(DEVTOOLS_PORT, signal);
    const startMs = performance.now();
    const now = (): number => performance.now() - startMs;
    const measured = (meter = new SoakMeter({ page, player, network, logDir: outDir, now }));
    viewer = new Viewer(page, network, now);
    every(SAMPLE_EVERY_MS, async () => {
      folder.addSample(await measured.sample());
      const lastMs = measured.collected.at(-1)?.atMs ?? warmUpMs - COLLECT_EVERY_MS;
      if (now() >= lastMs + COLLECT_EVERY_MS) await measured.collect();
    });
    every(PROGRESS_EVERY_MS, () => {
      folder.write(recordSoFar({ ended: 'running' }));
      const newest = measured.samples.at(-1);
      if (newest !== undefined) options.onProgress(newest);
    });
    periodic.push(setTimeout(() => end({ ended: 'done' }), forMs));
    const reloadUntilMs = forMs * RELOADING_SHARE;
    for (const action of soakActions(createRandom(seed), SOAK_PATHS.length, reloadUntilMs)) {
      await viewer.perform(action, signal);
    }
  } catch (error) {
    if (!signal.aborted) end({ ended: 'failed', fault: errorText(error) });
  }
  for (const timer of periodic) clearTimeout(timer);
  const ending = signal.reason as Ending;
  return endSoak(
    folder,
    outDir,
    () => recordSoFar(ending),
    async () => {
      if (ending.ended !== 'failed') await meter?.collect();
      page?.close();
      await player.end();
    },
  );
}

/** A program that starts the machine's browser with a DevTools port beside the pipe that `play` uses. */
function browserWithDevtools(): string {
  const file = path.join(SANDBOX_DIR, 'soak-browser');
  writeFileSync(
    file,
    `#!/bin/sh\nexec '${findBrowser()}' --remote-debugging-port=${DEVTOOLS_PORT} "$@"\n`,
  );
  chmodSync(file, 0o700);
  return file;
}
