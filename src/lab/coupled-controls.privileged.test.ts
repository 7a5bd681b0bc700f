import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  COUPLED_CONTROLS,
  findCoupledLoader,
  holdCoupledControls,
  listCoupledControls,
  loadCoupledControls,
  unloadCoupledControls,
} from './coupled-controls';
import { isNightly, reasonToSkip, runFixture } from './testing/sandboxed';

const reason = await reasonToSkip();
const title = `coupled congestion controls${reason === undefined ? '' : ` (skipped: ${reason})`}`;

const fast = { rateBps: 10e6, delayMs: 20, queue: { discipline: 'droptail' } };
const line = { rateBps: 5e6, delayMs: 5, queue: { discipline: 'droptail' } };
const twoPaths = (link: typeof line, congestionControl: string): object => ({
  kind: 'multihomed',
  paths: ['wifi', 'lte'].map((id) => ({ id, down: link, up: link })),
  congestionControl,
});

/** Windows of the established subflows, and the time in ms, twenty times a second for 8 s. */
const SAMPLE_WINDOWS =
  "for i in $(seq 160); do echo \"$(date +%s%3N) $(ss -tinH state established 'sport = 9000' | grep -o ' cwnd:[0-9]*' | tr '\\n' ' ')\"; sleep 0.05; done";

/** Growth of the largest window while it grows, in segments per second. */
function growthPerSecond(samples: string): number {
  const rows = samples
    .trim()
    .split('\n')
    .map((line) => ({
      atMs: Number(/^\d+/.exec(line)?.[0]),
      cwnd: Math.max(...[...line.matchAll(/cwnd:(\d+)/g)].map(([, cwnd]) => Number(cwnd))),
    }));
  const steps = rows.slice(1).map((row, index) => ({
    ms: row.atMs - (rows[index]?.atMs ?? 0),
    segments: row.cwnd - (rows[index]?.cwnd ?? 0),
  }));
  const growing = steps.filter(({ segments }) => segments >= 0);
  const sum = (of: 'ms' | 'segments'): number => growing.reduce((all, step) => all + step[of], 0);
  return (1000 * sum('segments')) / sum('ms');
}

const outputSchema = v.object({ answers: v.array(v.string()) });

async function loaded(): Promise<string[]> {
  const controls = await listCoupledControls();
  return controls.filter(({ isLoaded }) => isLoaded).map(({ name }) => name);
}

/** Loads and unloads in a row; CI's default keeps the test short. */
const CYCLES = Number(process.env['MPD_LOAD_CYCLES'] ?? (isNightly ? 20 : 4));
/** A cycle takes 0.4 s on an idle machine, and ten times that on a busy one. */
const CYCLE_MS = 5000;

/** BPF programs and maps of the whole kernel. */
async function kernelCount(): Promise<string> {
  const { stdout } = await promisify(execFile)(findCoupledLoader(), ['count']);
  return stdout.trim();
}

describe.skipIf(reason !== undefined)(title, () => {
  it(
    `are loaded and unloaded ${CYCLES} times without a leak`,
    async () => {
      const before = await kernelCount();
      // Also after the time limit, which ends a cycle in its middle.
      onTestFinished(() => unloadCoupledControls(COUPLED_CONTROLS));
      for (let cycle = 0; cycle < CYCLES; cycle += 1) {
        await loadCoupledControls(COUPLED_CONTROLS);
        if (cycle === 0) expect(await kernelCount()).not.toBe(before);
        await unloadCoupledControls(COUPLED_CONTROLS);
      }
      expect(await loaded()).toEqual([]);
      // The kernel frees them after a grace period.
      await expect.poll(kernelCount, { timeout: 20_000 }).toBe(before);
    },
    CYCLES * CYCLE_MS + 30_000,
  );

  it('are accepted by the verifier, and leave the kernel with their holder', async () => {
    const before = await loaded();
    const release = await holdCoupledControls(COUPLED_CONTROLS);
    expect(await loaded()).toEqual(COUPLED_CONTROLS);
    await release();
    expect(await loaded()).toEqual(before);
  });

  it('leave the kernel after a SIGKILL of the holder', async () => {
    const before = await loaded();
    const holder = spawn(findCoupledLoader(), ['hold', 'mpd_lia'], { stdio: 'pipe' });
    await once(holder.stdout, 'data');
    expect(await loaded()).toContain('mpd_lia');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    await expect.poll(loaded).toEqual(before);
  });

  it('stay until the last of two holders ends', async () => {
    const before = await loaded();
    const first = await holdCoupledControls(['mpd_lia']);
    const second = await holdCoupledControls(['mpd_lia']);
    await first();
    expect(await loaded()).toContain('mpd_lia');
    await second();
    await expect.poll(loaded).toEqual(before);
  });

  it('are not loaded for good while a holder would take them along', async () => {
    const release = await holdCoupledControls(['mpd_lia']);
    onTestFinished(release);
    await expect(loadCoupledControls(['mpd_lia'])).rejects.toThrow('a running lab holds mpd_lia');
    await release();
    await expect.poll(loaded).not.toContain('mpd_lia');
    onTestFinished(() => unloadCoupledControls(['mpd_lia']));
    await loadCoupledControls(['mpd_lia']);
    // A second load finds what the first one left: nobody holds it.
    await loadCoupledControls(['mpd_lia']);
    expect(await loaded()).toContain('mpd_lia');
  });

  it('are refused in one line where the kernel shows no BTF', async () => {
    const hidden = [
      '--mount',
      'sh',
      '-c',
      'mount -t tmpfs none /sys/kernel/btf && exec "$0" load mpd_lia',
    ];
    const refused = promisify(execFile)('unshare', [...hidden, findCoupledLoader()]);
    await expect(refused).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^mpd-coupled: this kernel has no BTF .*\n$/) as string,
    });
  });

  it('are refused with the cause that libbpf names', async () => {
    const command = ['--nofile=5', findCoupledLoader(), 'load', 'mpd_lia'];
    const refused = promisify(execFile)('prlimit', command);
    await expect(refused).rejects.toThrow('failed to create: Too many open files');
  });

  it('steer every subflow of a connection whose server names one', async () => {
    const before = await loaded();
    const { answers } = v.parse(
      outputSchema,
      await runFixture('network', {
        source: twoPaths(line, 'mpd_olia'),
        atOnce: true,
        transfers: [{ from: 'server', to: 'client', bytes: 3_000_000, mptcp: true }],
        ask: [
          {
            node: 'server',
            command: "ss -tin state established | grep -o 'mpd_[a-z]*' | sort | uniq -c",
          },
        ],
      }),
    );
    expect(answers[0]?.trim()).toBe('2 mpd_olia');
    expect(await loaded()).toEqual(before);
  });

  it('let a subflow grow like a TCP of its own once its sibling’s path is dead', async () => {
    const { answers } = v.parse(
      outputSchema,
      await runFixture('network', {
        source: twoPaths(fast, 'mpd_lia'),
        transfers: [{ from: 'server', to: 'client', bytes: 4_000_000, mptcp: true, endless: true }],
        ask: [
          { node: 'client', command: 'ip link set wifi down; sleep 3' },
          { node: 'server', command: SAMPLE_WINDOWS },
        ],
      }),
    );
    // One segment a round trip, which is 40 ms and the queue: 14. With the dead path's window in the sum: 4.
    expect(growthPerSecond(answers[1] ?? '')).toBeGreaterThan(8);
  }, 60_000);
});
