import { spawn } from 'node:child_process';
import type { Page } from 'playwright-core';
import { descendantsOf } from '../../kernel';
import { chromiumType, commandLineOf } from '../host';

/** Programs that belong to the player, not to the lab. */
const PLAYER = /chrom|electron/i;

interface PlayerProcess {
  pid: number;
  /** Process type of Chromium: `renderer`, `utility`, ...; empty for the first process. */
  type: string;
}

function playerProcesses(): PlayerProcess[] {
  return descendantsOf(process.pid).flatMap((pid) => {
    const words = commandLineOf(pid);
    return PLAYER.test(words[0] ?? '') ? [{ pid, type: chromiumType(words) ?? '' }] : [];
  });
}

/**
 * Kills a process of the player, as a crash or the kernel's out-of-memory killer does.
 * @throws Error if there is none
 */
export function killPart(part: 'browser' | 'renderer'): void {
  const type = part === 'browser' ? '' : 'renderer';
  const victims = playerProcesses().filter((one) => one.type === type);
  if (victims.length === 0) throw new Error(`no ${part} runs`);
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');
}

/**
 * Stops processes of the player and lets them run again later: all of them, or only this one, which holds
 * agent, gateway and log. The network and the server run on, as they do around a suspended computer.
 */
export function suspendPlayer(part: 'player' | 'agent', durationMs: number): void {
  const others = part === 'player' ? playerProcesses().map(({ pid }) => pid) : [];
  const pids = [...others, process.pid].join(' ');
  const script = `kill -STOP ${pids}; sleep ${durationMs / 1000}; kill -CONT ${pids}`;
  spawn('sh', ['-c', script], { stdio: 'ignore' }).unref();
}

/** Sets the wall clock of the page ahead; its monotonic clock goes on, as the kernel's does. */
export async function setPageClock(page: Page | undefined, aheadMs: number): Promise<void> {
  if (page === undefined) throw new Error('a clock event needs the page of a player');
  await page.evaluate((ahead) => {
    const scope = globalThis as unknown as { Date: DateConstructor; trueDate?: DateConstructor };
    const trueDate = (scope.trueDate ??= scope.Date);
    const now = (): number => trueDate.now() + ahead;
    scope.Date = new Proxy(trueDate, {
      construct: (target, values: unknown[], made) =>
        Reflect.construct(target, values.length > 0 ? values : [now()], made) as Date,
      get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
    });
  }, aheadMs);
}
