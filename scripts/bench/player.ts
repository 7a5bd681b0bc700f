// Cost of observing the paths: CPU time of playback and time to the first frame, and the size of the SDK's
// bundle. Compared: plain dash.js, our player without a feed, and our player with feed, agent and log.
// Trials are interleaved, so that the machine's noise affects all equally.
// Usage: node bin/multipath-dash.mjs sandbox -- node --import tsx scripts/bench/player.ts [--json] [--trials
// N] [--seconds N]
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../../src/runner/host';
import { median } from '../../src/core';
import {
  buildNetwork,
  ensureDemoMedia,
  mptcpizeEnv,
  parsePathSpec,
  pathTopology,
  startMediaServer,
} from '../../src/lab';
import { createLinuxFeed, openJsonlLog, startAgent } from '../../src/transport';
import { loadNative } from '../../src/kernel';
import { readOptions } from '../setup/options.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const variants = ['dash.js alone', 'our player, no feed', 'our player, feed and log'] as const;
type Variant = (typeof variants)[number];

interface Trial {
  variant: Variant;
  firstFrameMs: number;
  /** CPU time of the browser per second of play. */
  browserCpuRatio: number;
  /** The same for the process with agent, sampler and log. */
  agentCpuRatio: number;
}

const USAGE = `npm run bench -- player [--json] [--trials N] [--seconds N]
  --trials N    of each player (default 5)
  --seconds N   playing time of a trial, from 2 (default 12)
  --json        the rows for machines`;
const values = readOptions(USAGE, {
  json: { type: 'boolean', default: false },
  trials: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '12' },
});
const trialCount = Number(values.trials);
const playSeconds = Number(values.seconds);
if (!(trialCount >= 1 && playSeconds >= 2)) throw new Error('--trials from 1, --seconds from 2');

const PLAIN_PAGE = `<!doctype html><title>dash.js alone</title>
<video style="width:100%" muted></video><script src="/dash.js"></script><script>
const player = dashjs.MediaPlayer().create();
player.initialize(document.querySelector('video'), new URLSearchParams(location.search).get('mpd'), true);
</script>`;

/** Serves dash.js as published, on a minimal page. */
async function servePlainPage(): Promise<{ origin: string; server: Server }> {
  const script = readFileSync(
    path.join(root, 'node_modules/dashjs/dist/modern/umd/dash.all.min.js'),
  );
  const server = createServer((request, response) => {
    const isScript = request.url === '/dash.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : PLAIN_PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** CPU seconds of the browser's processes so far: those started from its binary. */
function browserCpuSeconds(): number {
  const ticksPerSecond = 100;
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      if (!/chrom/i.test(name)) continue;
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // utime, stime, and those of reaped children.
      ticks += [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    } catch {
      // It ended between listing and reading.
    }
  }
  return ticks / ticksPerSecond;
}

async function installFirstFrame(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const search = setInterval(() => {
      const video = document.querySelector('video');
      if (video === null) return;
      clearInterval(search);
      video.requestVideoFrameCallback((now) => {
        document.documentElement.dataset['firstFrameMs'] = String(now);
      });
    }, 1);
  });
}

async function runTrial(variant: Variant, mpd: string, plainOrigin: string): Promise<Trial> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'bench-player-'));
  const agent = await startAgent({
    pageDir: path.join(root, 'dist/page'),
    createTransport: () => createLinuxFeed({ loadNative }),
    openLog: (session) => openJsonlLog(path.join(scratch, `${session}.jsonl`)),
  });
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    env: { ...process.env, ...(await mptcpizeEnv()) },
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--mute-audio',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
  try {
    const page = await browser.newPage();
    await installFirstFrame(page);
    const settings = { mpd, abr: 'dynamic', correction: '0', autoplay: '1' };
    const address: Record<Variant, string> = {
      'dash.js alone': `${plainOrigin}/?mpd=${encodeURIComponent(mpd)}`,
      'our player, no feed': `${agent.origin}/#${new URLSearchParams(settings).toString()}`,
      'our player, feed and log': agent.pageUrl(settings),
    };
    await page.goto(address[variant]);
    await page.waitForFunction(
      () => document.documentElement.dataset['firstFrameMs'] !== undefined,
    );
    const firstFrameMs = await page.evaluate(() =>
      Number(document.documentElement.dataset['firstFrameMs']),
    );
    const position = (): Promise<number> =>
      page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
    const before = { cpu: browserCpuSeconds(), own: process.cpuUsage(), at: await position() };
    await page.waitForTimeout(playSeconds * 1000);
    const own = process.cpuUsage(before.own);
    const played = (await position()) - before.at;
    return {
      variant,
      firstFrameMs,
      browserCpuRatio: (browserCpuSeconds() - before.cpu) / played,
      agentCpuRatio: (own.user + own.system) / 1e6 / played,
    };
  } finally {
    await browser.close();
    await agent.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function bundleSizes(): Record<string, number> {
  const gzipped = (file: string): number => gzipSync(readFileSync(path.join(root, file))).length;
  return {
    sdkGzipBytes: gzipped('dist/sdk/index.js'),
    dashGzipBytes: gzipped('node_modules/dashjs/dist/modern/umd/dash.all.min.js'),
  };
}

const media = await ensureDemoMedia();
const lab = await buildNetwork(
  pathTopology([parsePathSpec('30mbit,10ms,q=200kB'), parsePathSpec('20mbit,15ms,q=200kB')]),
);
const server = await startMediaServer({
  ...lab.server,
  port: 8080,
  root: media.dir,
});
const plain = await servePlainPage();
const trials: Trial[] = [];
for (let round = 1; round <= trialCount; round += 1) {
  for (const variant of variants) {
    process.stderr.write(`[bench] trial ${round} of ${trialCount}: ${variant}\n`);
    trials.push(await runTrial(variant, `${server.url}/manifest.mpd`, plain.origin));
  }
}
plain.server.close();
await server.stop();
await lab.close();

const medianOf = (
  variant: Variant,
  key: 'firstFrameMs' | 'browserCpuRatio' | 'agentCpuRatio',
): number =>
  median(trials.filter((trial) => trial.variant === variant).map((trial) => trial[key])) ??
  Number.NaN;
const rows = variants.map((variant) => ({
  variant,
  firstFrameMs: medianOf(variant, 'firstFrameMs'),
  browserCpuPercent: 100 * medianOf(variant, 'browserCpuRatio'),
  agentCpuPercent: 100 * medianOf(variant, 'agentCpuRatio'),
}));
if (values.json) {
  process.stdout.write(`${JSON.stringify({ rows, trials, ...bundleSizes() }, null, 2)}\n`);
} else {
  process.stdout.write(`medians of ${trialCount} trials, ${playSeconds} s each\n`);
  for (const row of rows) {
    process.stdout.write(
      `${row.variant.padEnd(26)} first frame ${row.firstFrameMs.toFixed(0).padStart(5)} ms   ` +
        `browser ${row.browserCpuPercent.toFixed(1).padStart(5)} % of a core   ` +
        `agent ${row.agentCpuPercent.toFixed(1).padStart(4)} %\n`,
    );
  }
  const { sdkGzipBytes = 0, dashGzipBytes = 0 } = bundleSizes();
  process.stdout.write(
    `SDK ${(sdkGzipBytes / 1024).toFixed(1)} KiB gzipped, on top of dash.js ${(dashGzipBytes / 1024).toFixed(1)} KiB\n`,
  );
}
process.exit(0);
