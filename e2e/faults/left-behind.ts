import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { SANDBOX_DIR } from '../../src/lab';
import { trialProcesses } from '../qoe/children';

const ip = (...words: string[]): string => execFileSync('ip', words, { encoding: 'utf8' });

/** Everything of this machine that a session makes and must remove, as comparable text. */
export function stateOfMachine(): Record<string, unknown> {
  return {
    processes: trialProcesses().map(({ name }) => name),
    namespaces: ip('netns', 'list'),
    // Without indices: the kernel counts on.
    links: ip('-o', 'link').replaceAll(/^\d+: /gm, ''),
    addresses: ip('-o', 'address').replaceAll(/^\d+: /gm, ''),
    endpoints: ip('mptcp', 'endpoint'),
    rules: ip('rule') + ip('-6', 'rule'),
    routes: ip('route', 'show', 'table', 'all') + ip('-6', 'route', 'show', 'table', 'all'),
    // The sandbox's own folder for temporary files. Playwright removes its folders when its process ends.
    files: readdirSync(SANDBOX_DIR).filter((name) => !name.startsWith('playwright')),
  };
}
