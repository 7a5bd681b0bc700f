import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentHarness } from './testing/agent-harness';

/** `nobody`, on every Linux. */
const STRANGER_ID = 65534;
const isRoot = process.getuid?.() === 0;
const mustRun = process.env['CI'] === 'true';

/** Returns the answer that another user gets to this text from the agent. */
function asStranger(port: string, text: string): Promise<string> {
  const program = `
    const socket = require('node:net').connect(${port}, '127.0.0.1', () => socket.write(${JSON.stringify(text)}));
    socket.on('data', (data) => process.stdout.write(data));
    socket.on('error', () => {});
    socket.on('close', () => process.exit());`;
  const child = spawn(process.execPath, ['-e', program], {
    uid: STRANGER_ID,
    gid: STRANGER_ID,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let got = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => (got += data));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(got));
  });
}

let harness: AgentHarness;
beforeEach(() => {
  harness = new AgentHarness();
});
afterEach(() => harness.dispose());

describe.skipIf(!isRoot && !mustRun)('another user of the machine [needs root]', () => {
  it('gets no page and no feed, even with a token, and uses no token up', async () => {
    const refused: string[] = [];
    await harness.start({ onRefused: (reason) => refused.push(reason) });
    const { origin, feedUrl } = harness.agent;
    const { port, host } = new URL(origin);
    const token = harness.agent.issueToken();
    const upgrade = [
      `GET /feed?token=${token} HTTP/1.1`,
      `Host: ${host}`,
      `Origin: ${origin}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ].join('\r\n');
    expect(await asStranger(port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toBe('');
    expect(await asStranger(port, `${upgrade}\r\n\r\n`)).toBe('');
    // Node's HTTP server would answer these by itself.
    for (const text of [
      'garbage\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nExpect: wonders\r\n\r\n`,
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    ]) {
      expect(await asStranger(port, text)).toBe('');
    }
    expect(refused).toEqual([`a connection of user ${STRANGER_ID} to the agent was refused`]);
    expect(harness.agent.sessions).toBe(0);
    expect(await harness.upgradeStatus(`${feedUrl}?token=${token}`, { Origin: origin })).toBe(101);
  });
});
