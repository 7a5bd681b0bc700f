import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeThrowawayTls } from './throwaway-tls';

it('makes a certificate for the address, signed by its authority', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tls-'));
  try {
    const tls = await makeThrowawayTls(dir, '10.77.0.1');
    const [ca, server] = await Promise.all(
      [tls.caFile, tls.certificateFile].map(
        async (file) => new X509Certificate(await readFile(file)),
      ),
    );
    expect(ca?.ca).toBe(true);
    expect(server?.checkIP('10.77.0.1')).toBe('10.77.0.1');
    expect(server?.checkIP('10.77.0.2')).toBeUndefined();
    expect(ca !== undefined && server?.verify(ca.publicKey)).toBe(true);
    expect(Buffer.from(tls.spkiSha256, 'base64')).toHaveLength(32);
  } finally {
    await rm(dir, { recursive: true });
  }
});
