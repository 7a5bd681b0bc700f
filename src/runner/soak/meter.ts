import type { SoakNetwork } from './network';
import type { PlayerPage } from './player-page';
import type { PlayerProcess } from './player-process';
import { readRoles } from './processes';
import { logBytes } from './record';
import type { SoakSample } from './sample';

export interface MeterOptions {
  page: PlayerPage;
  player: PlayerProcess;
  network: SoakNetwork;
  logDir: string;
  /** Milliseconds since the page opened. */
  now: () => number;
}

/** Reads processes, heaps and logs. */
export class SoakMeter {
  readonly samples: SoakSample[] = [];
  /** Readings after a forced garbage collection of agent and page: memory that is really in use. */
  readonly collected: SoakSample[] = [];
  readonly #options: MeterOptions;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  async sample(): Promise<SoakSample> {
    const sample = await this.#read(false);
    this.samples.push(sample);
    return sample;
  }

  async collect(): Promise<void> {
    await this.#options.page.collectGarbage().catch(() => undefined);
    this.collected.push(await this.#read(true));
  }

  async #read(isCollecting: boolean): Promise<SoakSample> {
    const { page, player, network, logDir, now } = this.#options;
    // A page that is loading does not answer.
    const inPage = await page.figures().catch(() => undefined);
    const inAgent = await player.figures(isCollecting);
    return {
      atMs: now(),
      processes: readRoles(process.pid, { agent: player.pid, server: network.server.pid }),
      ...(inAgent === undefined ? {} : { agent: inAgent }),
      ...(inPage === undefined ? {} : { page: inPage }),
      logBytes: logBytes(logDir),
    };
  }
}
