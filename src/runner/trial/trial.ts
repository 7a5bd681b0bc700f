import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import {
  buildNetwork,
  scheduleTraffic,
  startMediaServer,
  type MediaServer,
  type PreparedMedia,
} from '../../lab';
import type { LogEvent } from '../../session-log';
import {
  type PlayerSpec,
  type Scenario,
  type TimelineEvent,
  type TrafficResult,
  type TrialPlan,
  type TrialRecord,
} from '../../scenario';
import { monotonicClock } from '../../kernel';
import { UserError } from '../host/user-error';
import { decisionFor, networkFor } from './carriage';
import { Faults } from './faults';
import { logNetwork } from './network-log';
import { playTrial } from './play';
import { writeTrialRecord } from './record';
import { applyEvent } from './apply-event';
import { serverOptions, startPathUse } from './server-side';
import { startTimeline } from './timeline';

export { prepareTrials } from './prepare';

export interface TrialOptions {
  scenario: Scenario;
  plan: TrialPlan;
  /** The trial's folder is `plan.folder` below it. */
  runDir: string;
  /** The result of `prepareTrials`. */
  prepared: PreparedMedia;
  /**
   * Aborts the trial: it ends in order, writes no `trial.json`, and the call rejects with the signal's
   * reason.
   */
  signal: AbortSignal;
  /** Called with every event of the player's session, when it occurs. */
  onEvent?: (event: LogEvent) => void;
  /**
   * Zero of the scenario's events. `startup`: the first frame, so that a fault meets a playing player on a busy
   * machine too. Default: `load`, the zero of traces, traffic and the optimum.
   */
  eventsFrom?: 'load' | 'startup';
}

/** Ends the parts of a trial, the latest first. A failed step does not prevent the others. */
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
 * Plays one trial of one player over the scenario's network: real kernel, real nginx, real browser, background
 * programs, events. Runs inside a sandbox of its own or of the whole run. An error becomes the record's
 * `failed` with its reason, and no process stays.
 * @returns the content of `trial.json`
 */
export async function runTrial(options: TrialOptions): Promise<TrialRecord> {
  const { scenario, plan, signal, eventsFrom = 'load' } = options;
  const player = playerOf(scenario, plan);
  const trialDir = freshFolder(options);
  const faults = new Faults();
  const teardown = new Teardown();
  const startedAt = new Date().toISOString();
  let startMonotonicMs = monotonicClock.nowMs();
  let traffic: TrafficResult[] = [];
  let page: Page | undefined;
  let startEvents: (() => void) | undefined;
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
    const onSenderFailure = (error: unknown): void => faults.report("the sender's decision", error);
    const useFile = path.join(trialDir, 'path-use.jsonl');
    const sender = await startPathUse(scenario, network, useFile, onSenderFailure);
    if (sender) teardown.add("the sender's decision", sender);
    const server = await startMediaServer({
      ...serverOptions(scenario, network, options.prepared),
      onFailure: (error) => faults.report('server', error),
    });
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
      onEvent: (event) => {
        options.onEvent?.(event);
        if (eventsFrom === 'startup' && event.type === 'startup') startEvents?.();
      },
      onPage: (opened) => {
        page = opened;
      },
      onLoad: () => {
        // Traces, outages, traffic and events count from here, as in the optimum.
        startMonotonicMs = monotonicClock.nowMs();
        server.restartFilm?.();
        network.restart().catch((error: unknown) => faults.report('traces', error));
        const running = scheduleTraffic(scenario.traffic, network, trialDir, {
          signal,
          onFailure: (message) => faults.report('background traffic', message),
        });
        teardown.add('background traffic', async () => {
          traffic = await running.stop();
        });
        const onEventFailure = (error: unknown): void => faults.report('event', error);
        const apply = (event: TimelineEvent): Promise<void> =>
          applyEvent(event, { network, server, page });
        startEvents = () => {
          startEvents = undefined;
          const stop = startTimeline(scenario.events, apply, monotonicClock, onEventFailure);
          teardown.add('events', stop);
        };
        if (eventsFrom === 'load') startEvents();
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
  throw new UserError(`${scenario.name} has no player ${plan.player}`);
}

/**
 * Removes the files of an interrupted trial. A run of somebody else may name any folder, or have a link above it.
 * @throws UserError where the folder is not below the run's
 */
export function freshFolder({ plan, runDir }: Pick<TrialOptions, 'plan' | 'runDir'>): string {
  const folder = path.resolve(runDir, plan.folder);
  const parent = path.dirname(folder);
  if (!folder.startsWith(path.resolve(runDir) + path.sep)) {
    throw new UserError(`${plan.folder} is not below ${runDir}`);
  }
  mkdirSync(parent, { recursive: true });
  const linked = path.join(realpathSync(runDir), path.relative(path.resolve(runDir), parent));
  if (realpathSync(parent) !== linked) {
    throw new UserError(`${parent} leads out of ${runDir}: nothing is removed there`);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The trial's settings for the session log. */
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
    server: `${server.software}, MPTCP by ${server.mptcpBy}`,
    congestionControl: server.congestionControl,
    serverNotes: server.notes,
  };
}
