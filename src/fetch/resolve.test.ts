import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Network } from './network';
import { createLookUp, NoLinkResolver, resolveOnLink } from './resolve';

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
    // The resolver may have gone before the answer is written.
    socket.on('error', () => undefined);
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

describe('createLookUp', () => {
  const failing = (): Promise<string[]> => Promise.reject(new Error('SERVFAIL'));

  it('falls back to the system where the link has no answer', async () => {
    const resolve = createLookUp(failing, () => Promise.resolve(['192.0.2.9']));
    expect(await resolve('cdn.example', network)).toEqual(['192.0.2.9']);
  });

  it('asks the system once for several networks, and anew after 10 s', async () => {
    let nowMs = 0;
    const asked: ((addresses: string[]) => void)[] = [];
    const bySystem = (): Promise<string[]> => new Promise((resolve) => asked.push(resolve));
    const lookUp = createLookUp(failing, bySystem, () => nowMs);
    const other = { ...network, id: 'wwan0', interfaceIndex: 4 };
    const answers = Promise.all([lookUp('cdn.example', network), lookUp('cdn.example', other)]);
    await expect.poll(() => asked.length).toBe(1);
    nowMs = 10_000;
    const later = lookUp('cdn.example', other);
    await expect.poll(() => asked.length).toBe(2);
    asked[0]?.(['192.0.2.9']);
    expect(await answers).toEqual([['192.0.2.9'], ['192.0.2.9']]);
    asked[1]?.(['192.0.2.8']);
    expect(await later).toEqual(['192.0.2.8']);
    void lookUp('cdn.example', network);
    await expect.poll(() => asked.length).toBe(3);
  });

  it('returns an IP address without a query', async () => {
    expect(await createLookUp(failing, failing)('2001:db8::1', network)).toEqual(['2001:db8::1']);
  });
});
