import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  checkCongestionControls,
  checkKernelLinks,
  checkTrafficPrograms,
  ensureMedia,
  type PreparedMediaOptions,
  type PreparedMedia,
} from '../../lab';
import type { PlayerSpec, Scenario } from '../../scenario';
import { findBrowser } from '../host/browser';
import { UserError } from '../host/user-error';
import { findElectron } from '../host/electron-runtime';
import { hasDisplay } from '../host/display';
import { packageRoot } from '../host/package-root';
import { playerEnv } from './carriage';

/** Start-up and stalls consume no media, but the content of the final buffer was fetched as well. */
const SPARE_MS = 60_000;

/**
 * Makes a scenario's media and checks that all its players can run here. Call this outside the sandbox: it
 * downloads missing parts.
 * @throws UserError or LabError naming the missing part and the remedy
 */
export async function prepareTrials(
  scenario: Scenario,
  options: Pick<PreparedMediaOptions, 'onProgress' | 'signal'> = {},
  /** Replaces the making of media in tests. */
  makeMedia: typeof ensureMedia = ensureMedia,
): Promise<PreparedMedia> {
  if (scenario.backend === 'kernel') await checkKernelLinks(scenario);
  for (const player of scenario.players) await checkPlayer(scenario, player);
  await checkCongestionControls(scenario.topology);
  await checkTrafficPrograms(scenario.traffic);
  const media = await makeMedia(scenario.media, {
    ...options,
    seconds: (scenario.durationMs + SPARE_MS) / 1000,
  });
  checkMediaLength(scenario, media);
  return media;
}

/** @throws UserError if a trial would play longer than its media */
export function checkMediaLength(
  scenario: Pick<Scenario, 'name' | 'durationMs'>,
  media: Pick<PreparedMedia, 'durationMs'>,
): void {
  if (media.durationMs < scenario.durationMs) {
    throw new UserError(
      `${scenario.name}: its media last ${media.durationMs / 1000} s, less than the ${scenario.durationMs / 1000} s a trial plays: shorten duration, or take longer media`,
    );
  }
}

/** Checks what a player needs of this machine; the scenario's reader has checked the rest. */
async function checkPlayer(scenario: Scenario, player: PlayerSpec): Promise<void> {
  const refuse = (why: string): never => {
    throw new UserError(`${scenario.name}: player ${player.id}: ${why}`);
  };
  await playerEnv(player.carriage);
  if (player.app === 'electron') {
    findElectron(process.env, packageRoot(), process.cwd());
    if (!hasDisplay()) refuse('the desktop app needs a display: run under `xvfb-run -a`');
  } else {
    findBrowser();
    const page = player.abr === 'shaka' ? 'dist/baseline/shaka' : 'dist/page';
    if (!existsSync(path.join(packageRoot(), page, 'index.html'))) {
      refuse(`${page} is not built: run \`npm run build\``);
    }
  }
}
