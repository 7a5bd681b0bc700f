import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Network } from './network';
import { createResolve, NoLinkResolver, resolveOnLink } from './resolve';

let folder: string;
let server: Server | undefined;
const questions: unknown[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'resolve-'));
});
afterEach(async () => {
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  rmSync(folder, { recursive: true });
  questions.length = 0;
  server = undefined;
});

/** A varlink service that answers every question with the same text. */
async function answering(answer: object | string): Promise<string> {
  const file = path.join(folder, 'socket');
  server = createServer((socket) => {
    socket.on('data', (data) => {
      questions.push(JSON.parse(String(data).replace('\0', '')));
      socket.write(typeof answer === 'string' ? answer : `${JSON.stringify(answer)}\0`);
    });
  });
  await new Promise<void>((resolve) => server?.listen(file, resolve));
  return file;
}

const network: Network = { id: 'wlan0', interfaceIndex: 3, addresses: ['192.0.2.2'] };

describe('resolveOnLink', () => {
  it('asks for the link and reads both families', async () => {
    const six = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    const file = await answering({
      parameters: {
        addresses: [
          { ifindex: 3, family: 2, address: [192, 0, 2, 1] },
          { ifindex: 3, family: 10, address: six },
        ],
        name: 'cdn.example',
        flags: 1,
      },
    });
    expect(await resolveOnLink('cdn.example', 3, file)).toEqual([
      '192.0.2.1',
      '2001:db8:0:0:0:0:0:1',
    ]);
    expect(questions).toEqual([
      {
        method: 'io.systemd.Resolve.ResolveHostname',
        parameters: { name: 'cdn.example', ifindex: 3, flags: 0 },
      },
    ]);
  });

  it.each([
    ['an error', { error: 'io.systemd.Resolve.NoNameServers' }, /NoNameServers/],
    ['no address', { parameters: { addresses: [] } }, /no address/],
    ['no JSON', 'garbage\0', /JSON/],
    ['a wrong form', { parameters: { addresses: [{ address: [999] }] } }, /999|Invalid/],
  ])('rejects %s', async (_, answer, message) => {
    const file = await answering(answer);
    await expect(resolveOnLink('cdn.example', 3, file)).rejects.toThrow(message);
  });

  it('rejects with NoLinkResolver where systemd-resolved does not run', async () => {
    await expect(
      resolveOnLink('cdn.example', 3, path.join(folder, 'absent')),
    ).rejects.toBeInstanceOf(NoLinkResolver);
  });
});

describe('createResolve', () => {
  const failing = (): Promise<string[]> => Promise.reject(new Error('SERVFAIL'));

  it('falls back to the system where the link has no answer', async () => {
    const resolve = createResolve(failing, () => Promise.resolve(['192.0.2.9']));
    expect(await resolve('cdn.example', network)).toEqual(['192.0.2.9']);
  });

  it('returns an IP address without a query', async () => {
    expect(await createResolve(failing, failing)('2001:db8::1', network)).toEqual(['2001:db8::1']);
  });
});
