import type { BrainConfig } from '../../brain';
import { LOG_SCHEMA_VERSION } from '../../session-log';
import type { MultipathPlayerOptions } from '../player-options';
import type { NewEvent } from './session';
import { playerVersion } from '../version';

/**
 * The first line of a session's log.
 * @param player name and version. Example: `Shaka Player v4.16.1`
 */
export function configEvent(
  player: string,
  settings: Readonly<Record<string, unknown>>,
): Extract<NewEvent, { type: 'config' }> {
  return {
    type: 'config',
    schemaVersion: LOG_SCHEMA_VERSION,
    startedAt: new Date().toISOString(),
    player,
    playerVersion,
    settings: { ...settings, userAgent: navigator.userAgent },
  };
}

/**
 * The settings of a dash.js player in the log.
 * @param brain absent if one of dash.js's own rules decides
 */
export function loggedSettings(
  url: string,
  options: MultipathPlayerOptions,
  brain: BrainConfig | undefined,
): Record<string, unknown> {
  const { abr = 'multipath', correction = true, logSettings = {}, bufferTargetMs } = options;
  return {
    ...logSettings,
    url,
    abr,
    correction,
    ...(brain ? { brain } : {}),
    ...(bufferTargetMs === undefined ? {} : { bufferTargetMs }),
  };
}
