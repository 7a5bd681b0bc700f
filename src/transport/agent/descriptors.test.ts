import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentHarness } from './testing/agent-harness';

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

/** Descriptors on the kernel's tables of sockets. */
const openTables = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return /\/net\/tcp6?\b/.test(readlinkSync(`/proc/self/fd/${fd}`));
    } catch {
      return false;
    }
  }).length;

describe('descriptors', () => {
  let harness: AgentHarness;
  beforeEach(() => {
    harness = new AgentHarness();
  });
  afterEach(() => harness.dispose());

  it('are freed when the reader aborts a download', async () => {
    await harness.start();
    // More than a socket's buffers hold, so that the file is open when the reader disconnects.
    writeFileSync(path.join(harness.pageDir, 'page.js.map'), Buffer.alloc(32 * 1024 * 1024));
    const { origin } = harness.agent;
    const giveUp = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const request = http.get(`${origin}/page.js.map`, { agent: false }, (response) => {
          response.once('data', () => request.destroy());
          response.once('close', resolve);
          response.on('error', () => undefined);
        });
        request.on('error', reject);
      });
    await giveUp();
    const before = openDescriptors();
    for (let count = 0; count < 100; count += 1) await giveUp();
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before);
  });

  it('are not taken by each connection that comes and goes', async () => {
    await harness.start();
    const port = Number(new URL(harness.agent.origin).port);
    let most = 0;
    const comeAndGo = (): Promise<void> =>
      new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => socket.destroy());
        socket.on('error', () => undefined).once('close', () => resolve());
      });
    let over = false;
    const look = async (): Promise<void> => {
      while (!over) {
        most = Math.max(most, openTables());
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const looking = look();
    await Promise.all(Array.from({ length: 300 }, comeAndGo));
    // The answer comes after the check of every connection before it.
    await harness.request('/');
    over = true;
    await looking;
    expect(most).toBeGreaterThan(0);
    // One of each table.
    expect(most).toBeLessThanOrEqual(2);
  });
});

it('an agent without free descriptors survives, and serves again once some are free', () => {
  const script = path.join(import.meta.dirname, 'testing/exhaustion-scenario.ts');
  const command = 'ulimit -n 1000; exec "$0" --import tsx "$1"';
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, script], {
    encoding: 'utf8',
    cwd: path.join(import.meta.dirname, '../../..'),
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const { short, after } = JSON.parse(stdout) as { short: unknown[]; after: unknown[] };
  // Without this the descriptors did not run out.
  expect(short[0]).not.toEqual([200, true]);
  expect(after).toEqual([200, true]);
});
