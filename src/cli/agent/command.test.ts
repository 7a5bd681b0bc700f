import { Command } from 'commander';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { openSessionControl } from '../../runner/session';
import { Consents, type ConsentAnswer } from '../../transport';
import { addAgentCommand, consentFile, createAgentFeed, createConsent, serve } from './command';

describe('consent of the user', () => {
  const run = (answer: ConsentAnswer) => {
    const granted = new Set<string>();
    const asked: string[] = [];
    const consent = createConsent(
      { has: (origin) => granted.has(origin), grant: (origin) => void granted.add(origin) },
      (origin) => {
        asked.push(origin);
        return Promise.resolve(answer);
      },
      () => new Date(0),
    );
    return { consent, asked, granted };
  };

  it('is asked for once and kept', async () => {
    const { consent, asked, granted } = run('granted');
    expect(await consent('https://a.example')).toBe('granted');
    expect(await consent('https://a.example')).toBe('granted');
    expect(asked).toEqual(['https://a.example']);
    granted.clear(); // revoked
    await consent('https://a.example');
    expect(asked).toHaveLength(2);
  });

  it.each(['denied', 'unanswered'] as const)('is not kept when it is %s', async (answer) => {
    const { consent, granted } = run(answer);
    expect(await consent('https://a.example')).toBe(answer);
    expect(granted.size).toBe(0);
  });
});

describe('consents on the command line', () => {
  const origin = 'https://p.example';
  let folder: string;
  let output: string;
  const agent = (...args: string[]): Promise<unknown> => {
    const program = new Command().exitOverride();
    addAgentCommand(program);
    return program.parseAsync(['agent', ...args], { from: 'user' });
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-agent-'));
    output = '';
    vi.stubEnv('XDG_CONFIG_HOME', folder);
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      output += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('says what it granted and revoked, and lists it', async () => {
    await agent('--grant', origin);
    expect(output).toContain(`granted: ${origin}`);
    output = '';
    await agent('--list', '--json');
    expect(JSON.parse(output)).toEqual({
      consents: [{ origin, grantedAt: expect.any(String) as string }],
    });
    await agent('--revoke', origin);
    expect(output).toContain(`revoked: ${origin}`);
  });

  it.each([
    ['--allow-origin', origin],
    ['--port', '4711'],
    ['--out', 'logs'],
    ['--no-path-control'],
  ])('refuses %s where no agent starts', async (...option) => {
    for (const ending of [['--grant', origin], ['--revoke', origin], ['--list']]) {
      await expect(agent(...ending, ...option)).rejects.toThrow(
        `${ending[0]} and ${option[0]}: ${ending[0]} starts no agent`,
      );
    }
    await agent('--list');
    expect(output).toContain('no origin');
  });

  it('refuses --json without a list', async () => {
    await expect(agent('--json', '--allow-origin', origin)).rejects.toThrow('only with --list');
  });
});

it('is kept below the configuration of the user', () => {
  expect(consentFile({ XDG_CONFIG_HOME: '/c' })).toBe('/c/multipath-dash/consents.json');
  // The specification ignores relative paths.
  expect(consentFile({ XDG_CONFIG_HOME: 'c' })).toMatch(/^\/.*\.config\/multipath-dash/);
});

it('closes the control of the paths if its port is taken', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  let closed = 0;
  const control = { close: () => Promise.resolve((closed += 1)) };
  const serving = serve(
    ['https://p.example'],
    { port, pathControl: true },
    new Consents('/nonexistent/consents.json'),
    () => Promise.resolve(control as unknown as Awaited<ReturnType<typeof openSessionControl>>),
  );
  await expect(serving).rejects.toThrow(/EADDRINUSE|in use/);
  expect(closed).toBe(1);
  server.close();
});

it.runIf(process.getuid?.() === 0)('shows a page no connection of another user', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const program = `require('net').connect(${port}, '127.0.0.1', () => console.log('up'))`;
  const stranger = spawn(process.execPath, ['-e', program], {
    uid: 12_345,
    gid: 12_345,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(stranger.stdout, 'data');
  const own = connect(port, '127.0.0.1');
  await once(own, 'connect');
  const feed = createAgentFeed();
  const seen = await new Promise<number[]>((resolve) => {
    feed.subscribe((message) => {
      if (message.type !== 'samples') return;
      const ports = message.batch.connections.flatMap(({ subflows }) =>
        subflows.map(({ local }) => local.port),
      );
      if (ports.includes(own.localPort ?? 0)) resolve(ports);
    });
    feed.watch([`http://127.0.0.1:${port}`]);
  });
  expect(seen).toEqual([own.localPort]);
  feed.close();
  own.destroy();
  stranger.kill();
  server.close();
});
