import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { enterSandbox } from '../../lab';
import { reasonToSkip } from '../../lab/testing/sandboxed';

const ORDINARY_ID = 65534;
// Another user exists only where the sandbox maps one.
const reason =
  process.getuid?.() === 0 ? await reasonToSkip() : 'needs root to become another user';
const title = reason === undefined ? 'an ordinary user' : `an ordinary user (skipped: ${reason})`;

interface Result {
  uid: number;
  capabilities: string;
  hashes: string[];
  expected: string;
  fileBytes: number;
  received: number[];
  answerToRoot: string;
}

describe.skipIf(reason !== undefined)(title, () => {
  it('fetches over both networks from nginx without MPTCP, and no other user over its gateway', async () => {
    let stdout = '';
    let stderr = '';
    const program = fileURLToPath(new URL('testing/two-networks.ts', import.meta.url));
    const status = await enterSandbox({
      argv: [process.execPath, '--import', 'tsx', program],
      stdio: 'pipe',
      onStdout: (text) => (stdout += text),
      onStderr: (text) => (stderr += text),
    });
    expect(status, stderr).toBe(0);
    const result = JSON.parse(stdout) as Result;
    expect(result.uid).toBe(ORDINARY_ID);
    expect(Number.parseInt(result.capabilities, 16)).toBe(0);
    expect(result.hashes).toEqual(result.hashes.map(() => result.expected));
    // Links of 8 and 4 Mbit/s: the slower one brings a tenth at the very least.
    for (const bytes of result.received) expect(bytes).toBeGreaterThan(0.1 * result.fileBytes);
    expect(result.answerToRoot).toBe('closed');
  });
});
