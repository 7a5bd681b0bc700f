import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  buildNetwork,
  scheduleTraffic,
  startMediaServer,
  type LabNetwork,
  type MediaServer,
  type PreparedMedia,
} from '../../lab';
import type { LogEvent } from '../../qoe';
import {
  serverOf,
  type PlayerSpec,
  type Scenario,
  type TrafficResult,
  type TrialPlan,
  type TrialRecord,
} from '../../scenario';
import { monotonicClock } from '../../transport';
import { CliError } from '../cli-error';
import { decisionFor, networkFor } from './trial/carriage';
import { Faults } from './trial/faults';
import { logNetwork } from './trial/network-log';
import { playTrial } from './trial/play';
import { writeTrialRecord } from './trial/record';
import { startTimeline } from './trial/timeline';

export { prepareTrials, type PrepareOptions } from './trial/prepare';

export interface TrialOptions {
  scenario: Scenario;
  plan: TrialPlan;
  /** The trial's folder is `plan.folder` below it. */
  runDir: string;
  /** What `prepareTrials` gave. */
  prepared: PreparedMedia;
  /** Calls the trial off: it ends in order, leaves no `trial.json`, and the call rejects with the signal's reason. */
  signal: AbortSignal;
  /** Every event of the player's session, as it happens. */
  onEvent?: (event: LogEvent) => void;
}

/** Ends what a trial started, the latest first; a step that fails does not keep the others from theirs. */
class Teardown {
  readonly #steps: { what: string; stop: () => Promise<unknown> }[] = [];

  add(what: string, stop: () => Promise<unknown>): void {
    this.#steps.push({ what, stop });
  }

  async run(onFailure: (what: string, error: unknown) => void): Promise<void> {
    for (const { what, stop } of this.#steps.splice(0).reverse()) {
      await stop().catch((error: unknown) => onFailure(what, error));
    }
  }
}

/**
 * Plays one turn of one player over the scenario's network: real kernel, real nginx, real browser, background
 * programs, events. Runs inside a sandbox of its own or of the whole run; whatever goes wrong is the record's
 * `failed` with its reason, and nothing is left running.
 * @returns what `trial.json` says
 */
export async function runTrial(options: TrialOptions): Promise<TrialRecord> {
  const { scenario, plan, signal } = options;
  const player = playerOf(scenario, plan);
  const trialDir = freshFolder(options);
  const faults = new Faults();
  const teardown = new Teardown();
  const startedAt = new Date().toISOString();
  let startMonotonicMs = monotonicClock.nowMs();
  let traffic: TrafficResult[] = [];
  try {
    signal.throwIfAborted();
    const network = await buildNetwork(scenario.topology, {
      ...networkFor(player.carriage),
      backend: scenario.backend,
      seed: plan.seed,
      serverMptcp: scenario.server.mptcp,
      onFailure: (error) => faults.report('network', error),
    });
    teardown.add('network', () => network.close());
    const server = await startServer(scenario, network, options.prepared, faults);
    teardown.add('server', () => server.stop());
    const log = (error: unknown): void => faults.report('queue statistics', error);
    const file = path.join(trialDir, 'network.jsonl');
    const stopLog = await logNetwork(network, scenario.queueSampleMs, file, log);
    teardown.add('queue statistics', stopLog);
    const failure = await playTrial({
      player,
      decision: decisionFor(player, scenario.metered ?? [], network),
      server,
      media: options.prepared,
      playMs: scenario.durationMs,
      trialDir,
      settings: settingsOf(scenario, plan, player, server),
      signal,
      fault: faults.first,
      onEvent: options.onEvent,
      onLoad: () => {
        // Traces, outages, traffic and events count from here, as the optimum does.
        startMonotonicMs = monotonicClock.nowMs();
        network.restart().catch((error: unknown) => faults.report('traces', error));
        const running = scheduleTraffic(scenario.traffic, network, trialDir, {
          signal,
          onFailure: (message) => faults.report('background traffic', message),
        });
        teardown.add('background traffic', async () => {
          traffic = await running.stop();
        });
        const onEventFailure = (error: unknown): void => faults.report('event', error);
        const stop = startTimeline(scenario.events, network, monotonicClock, onEventFailure);
        teardown.add('events', stop);
      },
    });
    if (failure !== undefined) faults.report('player', failure);
  } catch (error) {
    faults.report('trial', error);
  } finally {
    await teardown.run(faults.report);
  }
  signal.throwIfAborted();
  for (const { id, outcome, error } of traffic) {
    if (outcome === 'failed') faults.report(`background traffic ${id}`, error ?? 'it failed');
  }
  const record: TrialRecord = {
    schemaVersion: 1,
    scenario: scenario.name,
    player: player.id,
    trial: plan.trial,
    seed: plan.seed,
    startedAt,
    startMonotonicMs,
    outcome: faults.message === undefined ? 'ok' : 'failed',
    ...(faults.message === undefined ? {} : { error: faults.message }),
    sessionFile: 'session.jsonl',
    networkFile: 'network.jsonl',
    media: options.prepared.sizes,
    traffic,
  };
  writeTrialRecord(trialDir, record);
  return record;
}

function playerOf(scenario: Scenario, plan: TrialPlan): PlayerSpec {
  const player = scenario.players.find((one) => one.id === plan.player);
  if (player !== undefined) return player;
  throw new CliError(`${scenario.name} has no player ${plan.player}`);
}

/** What an interrupted turn left in the folder goes. */
function freshFolder({ plan, runDir }: TrialOptions): string {
  const folder = path.resolve(runDir, plan.folder);
  if (!folder.startsWith(path.resolve(runDir) + path.sep)) {
    throw new CliError(`${plan.folder} is not below ${runDir}`);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function startServer(
  scenario: Scenario,
  network: LabNetwork,
  media: PreparedMedia,
  faults: Faults,
): Promise<MediaServer> {
  const { http, tls } = scenario.server;
  const node = serverOf(scenario.topology);
  const netns = network.netnsOf(node);
  const withTls = tls || http === 'http2';
  return startMediaServer({
    ...(netns === undefined ? {} : { netns }),
    root: media.dir,
    address: network.serverAddress,
    port: withTls ? 8443 : 8080,
    mptcp: scenario.server.mptcp,
    congestionControl: network.congestionControlOf(node),
    ...(withTls ? { tls: { http2: http === 'http2' } } : {}),
    onFailure: (error) => faults.report('server', error),
  });
}

/** What the session log says of the trial around it. */
function settingsOf(
  scenario: Scenario,
  plan: TrialPlan,
  player: PlayerSpec,
  server: MediaServer,
): Record<string, unknown> {
  return {
    command: 'lab run',
    emulated: true,
    scenario: scenario.name,
    player: player.id,
    trial: plan.trial,
    seed: plan.seed,
    carriage: player.carriage,
    server: `nginx ${server.nginxVersion}, MPTCP by ${server.mptcpBy}`,
    congestionControl: server.congestionControl,
    serverNotes: server.notes,
  };
}
