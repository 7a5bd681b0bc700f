import {
  runInNetns,
  type LabNetwork,
  type MediaServerOptions,
  type PreparedMedia,
} from '../../lab';
import type { Scenario } from '../../scenario';
import { startSenderProgram } from '../sender/program';
import { needsFaultyServer } from './apply-event';

const portOf = ({ http, tls }: Scenario['server']): number =>
  tls || http === 'http2' ? 8443 : 8080;

/** The film that the server broadcasts, if the scenario is live. */
function liveOf(
  { media }: Scenario,
  { mpd }: Pick<PreparedMedia, 'mpd'>,
): Pick<MediaServerOptions, 'live'> {
  if (media.kind !== 'ladder' || media.live === undefined) return {};
  return { live: { mpd, segmentMs: media.segmentMs, live: media.live } };
}

/** The options of a scenario's media server. */
export function serverOptions(
  scenario: Scenario,
  network: Pick<LabNetwork, 'server'>,
  media: Pick<PreparedMedia, 'dir' | 'mpd'>,
): MediaServerOptions {
  const { http, tls, mptcp } = scenario.server;
  const withTls = tls || http === 'http2';
  return {
    ...network.server,
    root: media.dir,
    port: portOf(scenario.server),
    mptcp,
    ...(withTls ? { tls: { http2: http === 'http2' } } : {}),
    faulty: needsFaultyServer(scenario),
    ...liveOf(scenario, media),
  };
}

/**
 * Starts the path use decision, before the server opens its port.
 * @param file gets a line for every change
 * @returns the function that ends it; undefined where the scenario has none
 */
export async function startPathUse(
  { server }: Pick<Scenario, 'server'>,
  network: Pick<LabNetwork, 'server'>,
  file: string,
  onFailure: (error: unknown) => void,
): Promise<(() => Promise<void>) | undefined> {
  if (server.pathUse === undefined) return undefined;
  const { netns } = network.server;
  await runInNetns(netns, ['sysctl', '-qw', 'net.mptcp.pm_type=1']);
  return startSenderProgram({ ...server.pathUse, port: portOf(server), netns, file, onFailure });
}
