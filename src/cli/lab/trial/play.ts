import path from 'node:path';
import type { LogEvent } from '../../../qoe';
import type { PlayerSpec } from '../../../scenario';
import type { MediaServer, PreparedMedia } from '../../../lab';
import type { DecisionOptions } from '../../decision';
import { runSession } from '../../session';
import { playerEnv } from './carriage';
import { playTrialInElectron } from './electron-player';
import { launchWithPlaywright } from './playwright-browser';

/** A page that plays tells its state four times a second, also while it stalls. */
const silenceMs = 20_000;

export interface TrialPlay {
  player: PlayerSpec;
  decision: DecisionOptions;
  server: MediaServer;
  media: Pick<PreparedMedia, 'mpd'>;
  /** After the first frame. */
  playMs: number;
  trialDir: string;
  /** Goes into the session log's configuration. */
  settings: Record<string, unknown>;
  signal: AbortSignal;
  /** What breaks around the player. */
  fault: Promise<string>;
  /** The page is about to be loaded. */
  onLoad: () => void;
  onEvent: ((event: LogEvent) => void) | undefined;
}

/** Plays one trial to its end. @returns what went wrong, if anything did */
export async function playTrial(options: TrialPlay): Promise<string | undefined> {
  const { player, server, signal, fault, onLoad, onEvent, trialDir } = options;
  const common = {
    url: `${server.url}/${options.media.mpd}`,
    abr: player.abr,
    env: await playerEnv(player.carriage),
    trustedSpkiSha256: server.tls?.spkiSha256,
    signal,
    fault,
  };
  if (player.app === 'electron') {
    const ending = await playTrialInElectron({
      ...common,
      playMs: options.playMs,
      silenceMs,
      trialDir,
      onLoad,
      onEvent,
    });
    return 'failure' in ending ? ending.failure : undefined;
  }
  const logFile = path.join(trialDir, 'browser.log');
  const result = await runSession({
    ...common,
    correction: player.correction,
    decision: options.decision,
    headless: true,
    seconds: options.playMs / 1000,
    outDir: trialDir,
    settings: options.settings,
    ...(onEvent === undefined ? {} : { onEvent }),
    launch: (browser) => launchWithPlaywright(browser, { logFile, onLoad }),
    page: player.abr === 'shaka' ? 'baseline/shaka' : 'page',
    liveView: false,
    silenceMs,
  });
  return result.failure;
}
