import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A self-signed certificate for `localhost`, valid for a day. */
export function selfSigned(): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'self-signed-'));
  const file = (name: string): string => path.join(folder, name);
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
        ...['-days', '1', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
        ...['-keyout', file('key'), '-out', file('cert')],
      ],
      { stdio: 'ignore' },
    );
    return { key: readFileSync(file('key'), 'utf8'), cert: readFileSync(file('cert'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
