import { readFileSync } from 'node:fs';

/**
 * The certificate authorities in the file that `NODE_EXTRA_CA_CERTS` names, PEM. Node reads it by itself;
 * Electron's BoringSSL does not.
 * @throws Error if the file cannot be read
 */
export function extraCaOf(env: NodeJS.ProcessEnv): string | undefined {
  const file = env['NODE_EXTRA_CA_CERTS'];
  return file === undefined || file === '' ? undefined : readFileSync(file, 'utf8');
}
