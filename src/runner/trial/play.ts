import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { LogEvent } from '../../session-log';
import type { PlayerOver, PlayerSpec } from '../../scenario';
import type { MediaServer, PreparedMedia } from '../../lab';
import type { DecisionOptions } from '../session/decision';
import { runSession, type SessionOptions } from '../session/session';
import { playerEnv } from './carriage';
import { playTrialInElectron } from './electron-player';
import { launchWithPlaywright } from './playwright-browser';

/** A playing page reports its state four times a second, also while it stalls. */
const SILENCE_MS = 20_000;

export interface TrialPlay {
  player: PlayerSpec;
  decision: DecisionOptions;
  server: MediaServer;
  media: Pick<PreparedMedia, 'mpd'>;
  /** Playing time after the first frame. */
  playMs: number;
  trialDir: string;
  /** Written into the session log's configuration. */
  settings: Record<string, unknown>;
  signal: AbortSignal;
  /** A fault around the player. */
  fault: Promise<string>;
  /** Called with the player's page: a browser's before it loads, the desktop app's before its session begins. */
  onPage: (page: Page) => void;
  /** Called before the page loads. */
  onLoad: () => void;
  onEvent: ((event: LogEvent) => void) | undefined;
}

/** Plays one trial to its end. @returns the error, if there was one */
export async function playTrial(options: TrialPlay): Promise<string | undefined> {
  const { player, server, signal, fault, onLoad, onPage, onEvent, trialDir } = options;
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
      carriage: player.carriage.kind === 'ranges' ? 'ranges' : 'mptcp',
      caFile: server.tls?.caFile,
      playMs: options.playMs,
      silenceMs: SILENCE_MS,
      trialDir,
      onPage,
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
    launch: (browser) => launchWithPlaywright(browser, { logFile, onPage, onLoad }),
    page: player.abr === 'shaka' ? 'baseline/shaka' : 'page',
    liveView: false,
    silenceMs: SILENCE_MS,
    ...rangesFor(player.carriage, server),
  });
  return result.failure;
}

/** Settings of a session whose media comes in byte ranges. */
function rangesFor(
  carriage: PlayerOver,
  { tls }: MediaServer,
): Pick<SessionOptions, 'carriage' | 'chunkScheduler' | 'extraCa'> {
  if (carriage.kind !== 'ranges') return {};
  const { scheduler } = carriage;
  return {
    carriage: 'ranges',
    ...(scheduler === undefined ? {} : { chunkScheduler: scheduler }),
    ...(tls ? { extraCa: readFileSync(tls.caFile, 'utf8') } : {}),
  };
}
