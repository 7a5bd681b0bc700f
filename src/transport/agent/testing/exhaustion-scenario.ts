/**
 * Runs an agent with the real feed while the free descriptors decrease, then with enough again. Prints one
 * JSON object. Ends with an error if a failed open is not handled. Start it with a low `ulimit -n`.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { createLinuxFeed, openJsonlLog, startAgent } from '../..';

/** A connection takes two here, because both ends are in this process. A page's feed takes about six more. */
const MAX_FREE = 14;
const PATIENCE_MS = 300;

const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-exhausted-'));
writeFileSync(path.join(folder, 'index.html'), '<!doctype html>page');

const agent = await startAgent({
  pageDir: folder,
  createTransport: () => createLinuxFeed(),
  openLog: (session) => openJsonlLog(path.join(folder, `${session}.jsonl`)),
});

/** Takes every free descriptor except a few. */
function takeAll(free: number): number[] {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    for (let left = free; left > 0; left -= 1) closeSync(taken.pop() ?? -1);
  }
  return taken;
}

const status = (): Promise<number | string> =>
  new Promise((resolve) => {
    http
      .get(agent.origin, { agent: false, timeout: PATIENCE_MS }, (response) => {
        response.resume().on('error', () => undefined);
        resolve(response.statusCode ?? 0);
      })
      .on('timeout', () => resolve('no answer'))
      .on('error', (error) => resolve(error.message));
  });

/** Returns true if the agent accepts a page. */
const visit = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${agent.feedUrl}?token=${agent.issueToken()}`, {
      origin: agent.origin,
      handshakeTimeout: PATIENCE_MS,
    });
    const done = (welcome: boolean): void => {
      resolve(welcome);
      socket.terminate();
    };
    socket.on('message', () => done(true));
    socket.on('error', () => done(false));
    socket.on('close', () => done(false));
  });

const short: unknown[] = [];
for (let free = 0; free <= MAX_FREE; free += 1) {
  const taken = takeAll(free);
  short.push([await status(), await visit()]);
  for (const fd of taken) closeSync(fd);
}
const after = [await status(), await visit()];
await agent.close();
rmSync(folder, { recursive: true });
process.stdout.write(`${JSON.stringify({ short, after })}\n`);
process.exit(0);
