import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Dumbbell, DumbbellResult } from '../dumbbell';

const HEADERS = '/usr/include/ns3/core-module.h';
const LIBRARIES = [
  'applications',
  'point-to-point',
  'traffic-control',
  'internet',
  'bridge',
  'mobility',
  'stats',
  'network',
  'core',
].map((name) => `-lns3-${name}`);

/** Result and run time of ns-3. */
export interface Ns3Result extends DumbbellResult {
  wallMs: number;
}

/** A built program, or the missing requirement. */
export type Ns3 =
  | {
      ok: true;
      version: string;
      /** @param congestion default the dumbbell's; see `dumbbell.cc` */
      run: (dumbbell: Dumbbell, measuresDelay: boolean, congestion?: string) => Ns3Result;
    }
  | { ok: false; reason: string };

/** Builds the dumbbell against Debian's ns-3, once. */
export function findNs3(): Ns3 {
  if (!existsSync(HEADERS)) {
    return { ok: false, reason: 'ns-3 is not installed: apt-get install libns3-dev g++' };
  }
  const source = path.join(import.meta.dirname, 'dumbbell.cc');
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const program = path.join(cache, 'multipath-dash', 'ns3-dumbbell');
  mkdirSync(path.dirname(program), { recursive: true });
  if (!existsSync(program) || statSync(program).mtimeMs < statSync(source).mtimeMs) {
    const options = ['-std=c++17', '-O2', '-o', program, source, ...LIBRARIES, '-lstdc++', '-lm'];
    const { status, stderr } = spawnSync('gcc', options, { encoding: 'utf8' });
    if (status !== 0) return { ok: false, reason: `dumbbell.cc does not build: ${stderr}` };
  }
  const asked = spawnSync('dpkg-query', ['-W', '-f', '${Version}', 'libns3-dev'], {
    encoding: 'utf8',
  });
  return {
    ok: true,
    version: asked.stdout.trim(),
    run: (dumbbell, measuresDelay, congestion = dumbbell.congestion) =>
      runDumbbell(program, { ...dumbbell, congestion }, measuresDelay),
  };
}

function runDumbbell(
  program: string,
  dumbbell: Omit<Dumbbell, 'congestion'> & { congestion: string },
  measuresDelay: boolean,
): Ns3Result {
  const { queue } = dumbbell;
  const options = {
    flows: dumbbell.flows,
    rate: dumbbell.rateBps,
    delay: dumbbell.delayMs,
    queue: queue.discipline,
    // Its device holds one packet more.
    packets: dumbbell.queuePackets - 1,
    target: queue.targetMs ?? 15,
    seconds: dumbbell.seconds,
    warmup: dumbbell.warmUpSeconds,
    congestion: dumbbell.congestion,
    seed: dumbbell.seed,
    delays: measuresDelay ? 1 : 0,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ns-3 ended with ${status}: ${stderr}`);
  return JSON.parse(stdout) as Ns3Result;
}
