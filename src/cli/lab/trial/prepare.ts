import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  checkKernelLinks,
  checkTrafficPrograms,
  ensureMedia,
  type PreparedMedia,
} from '../../../lab';
import type { PlayerSpec, Scenario } from '../../../scenario';
import { findBrowser } from '../../browser';
import { CliError } from '../../cli-error';
import { findElectron } from '../../electron-runtime';
import { hasDisplay } from '../../options';
import { packageRoot } from '../../package-root';
import { playerEnv } from './carriage';

/** Start-up and stalls eat no media, but what lies in the buffer at the end was fetched as well. */
const spareMs = 60_000;

export interface PrepareOptions {
  onProgress?: (progress: { fraction: number; step: string }) => void;
  signal?: AbortSignal;
}

/**
 * Makes a scenario's media and looks whether all its players can play here. To be called outside the sandbox:
 * what is missing comes from the network.
 * @throws CliError or LabError naming what is missing and how to get it
 */
export async function prepareTrials(
  scenario: Scenario,
  options: PrepareOptions = {},
): Promise<PreparedMedia> {
  if (scenario.backend === 'kernel') await checkKernelLinks(scenario);
  for (const player of scenario.players) await checkPlayer(scenario, player);
  await checkTrafficPrograms(scenario.traffic);
  const media = await ensureMedia(scenario.media, {
    ...options,
    seconds: (scenario.durationMs + spareMs) / 1000,
  });
  if (media.durationMs < scenario.durationMs) {
    throw new CliError(
      `${scenario.name}: its media last ${media.durationMs / 1000} s, less than the ${scenario.durationMs / 1000} s a trial plays: shorten durationMs, or take longer media`,
    );
  }
  return media;
}

async function checkPlayer(scenario: Scenario, player: PlayerSpec): Promise<void> {
  const refuse = (why: string): never => {
    throw new CliError(`${scenario.name}: player ${player.id}: ${why}`);
  };
  const { carriage } = player;
  const paths = scenario.topology.paths.map((one) => one.id);
  if (carriage.kind === 'path' && !paths.includes(carriage.path)) {
    refuse(`there is no path ${carriage.path}; the topology has ${paths.join(', ')}`);
  }
  await playerEnv(carriage);
  if (player.app === 'electron') {
    findElectron(process.env, packageRoot(), process.cwd());
    if (!hasDisplay()) refuse('the desktop app needs a display: run under `xvfb-run -a`');
    if (player.abr === 'shaka') refuse('Shaka plays in the browser only: set `app: browser`');
    if (!player.correction && player.abr !== 'multipath') {
      refuse('the desktop app always corrects: set `correction: true`, or `app: browser`');
    }
    if (carriage.kind === 'policy' || player.bufferTargetMs !== undefined) {
      refuse('the desktop app takes no policy and no buffer target: set `app: browser`');
    }
  } else {
    findBrowser();
    const page = player.abr === 'shaka' ? 'dist/baseline/shaka' : 'dist/page';
    if (!existsSync(path.join(packageRoot(), page, 'index.html'))) {
      refuse(`${page} is not built: run \`npm run build\``);
    }
  }
  if (player.abr === 'shaka' && carriage.kind === 'policy') {
    refuse('a path policy is part of our player: let Shaka play over mptcp, tcp or a path');
  }
}
