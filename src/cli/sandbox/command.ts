import { spawn, type ChildProcess } from 'node:child_process';
import type { Command } from 'commander';
import { enterSandbox, exitStatusOf, guardSandbox, isInsideSandbox } from '../../lab';
import { UserError } from '../../runner/host';

/** The program and arguments that run this command line again. */
export function thisProgram(): string[] {
  return [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
}

/**
 * Starts a program on this terminal, in a process group of its own. Its whole group gets SIGINT and SIGTERM, as on a
 * terminal: a shell's foreground command too, and nothing of the network around it.
 */
export function spawnOnTerminal(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  const child = spawn(program, args, { stdio: 'inherit', env, detached: true });
  const forward = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended already.
    }
  };
  process.on('SIGINT', forward).on('SIGTERM', forward);
  return child;
}

/** Runs a program to its end. @returns its exit status. @throws UserError if it cannot be started */
export async function runProgram(program: string, args: readonly string[]): Promise<number> {
  const child = spawnOnTerminal(program, args);
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ENOENT' ? 'there is no such program' : error.message;
      reject(new UserError(`cannot run ${program}: ${reason}`, 2));
    });
    child.once('exit', (code, signal) => resolve(exitStatusOf(code, signal)));
  });
}

/** `multipath-dash sandbox -- PROGRAM [ARGS]`. */
export function addSandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('run a program in a throw-away network of its own (namespaces that end with it)')
    .argument('<program>', 'what to run')
    .argument('[args...]', 'its arguments')
    .addHelpText(
      'after',
      '\nInside, the network namespace is empty but for loopback, `ip netns add` works, and every\nprocess, namespace and interface is gone when the program ends or this command is killed.\n\nExample: multipath-dash sandbox -- bash',
    )
    .passThroughOptions()
    .action(async (name: string, args: string[]) => {
      if (!isInsideSandbox()) {
        process.exitCode = await enterSandbox({ argv: thisProgram(), isInteractive: true });
        return;
      }
      guardSandbox();
      process.exitCode = await runProgram(name, args);
    });
}
