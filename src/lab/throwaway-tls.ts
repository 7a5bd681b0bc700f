import { createHash, X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './run-command';

/** A certificate authority made for one run, and a server certificate it signed. */
export interface ThrowawayTls {
  /** PEM file of the authority, for clients to trust. */
  caFile: string;
  certificateFile: string;
  keyFile: string;
  /** Base64 for Chromium's `--ignore-certificate-errors-spki-list`. */
  spkiSha256: string;
}

const DAYS = '2';

function configuration(address: string): string {
  return [
    '[req]',
    'distinguished_name = name',
    'prompt = no',
    '[name]',
    'CN = multipath-dash throw-away',
    '[ca]',
    'basicConstraints = critical, CA:TRUE, pathlen:0',
    'keyUsage = critical, keyCertSign',
    'subjectKeyIdentifier = hash',
    '[server]',
    'basicConstraints = critical, CA:FALSE',
    'keyUsage = critical, digitalSignature',
    'extendedKeyUsage = serverAuth',
    `subjectAltName = IP:${address}`,
    '',
  ].join('\n');
}

/**
 * Makes an EC P-256 authority and a server certificate for an IP address, valid for two days.
 * @param dir an existing private folder
 */
export async function makeThrowawayTls(dir: string, address: string): Promise<ThrowawayTls> {
  const file = (name: string): string => join(dir, name);
  await writeFile(file('openssl.cnf'), configuration(address));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const config = ['-config', file('openssl.cnf')];
  await runCommand('openssl', [
    ...['req', '-x509', ...key, ...config, '-extensions', 'ca', '-days', DAYS],
    ...[
      '-subj',
      '/CN=multipath-dash throw-away CA',
      '-keyout',
      file('ca.key'),
      '-out',
      file('ca.crt'),
    ],
  ]);
  await runCommand('openssl', [
    ...['req', '-new', ...key, ...config, '-subj', `/CN=${address}`],
    ...['-keyout', file('server.key'), '-out', file('server.csr')],
  ]);
  await runCommand('openssl', [
    ...['x509', '-req', '-in', file('server.csr'), '-CA', file('ca.crt'), '-CAkey', file('ca.key')],
    ...['-CAcreateserial', '-days', DAYS, '-extfile', file('openssl.cnf'), '-extensions', 'server'],
    ...['-out', file('server.crt')],
  ]);
  const certificate = new X509Certificate(await readFile(file('server.crt')));
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return {
    caFile: file('ca.crt'),
    certificateFile: file('server.crt'),
    keyFile: file('server.key'),
    spkiSha256: createHash('sha256').update(spki).digest('base64'),
  };
}
