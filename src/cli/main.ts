import { Command } from 'commander';
import { addAppCommand } from './app';
import { CliError } from './cli-error';
import { addDemoCommand } from './demo';
import { addDoctorCommand } from './doctor';
import { addExperimentCommand } from './experiment/command';
import { addLabCommand } from './lab/command';
import { addPlayCommand } from './play';
import { addReplayCommand } from './replay';
import { addReportCommand } from './report';
import { addSandboxCommand } from './sandbox';
import { addWatchCommand } from './watch';

declare const __VERSION__: string;

// nginx, ip and others lie where the PATH of ordinary users often does not lead.
process.env['PATH'] = `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;

const program = new Command('multipath-dash')
  .description('Multipath-aware DASH player: plays, watches and measures streams over MPTCP')
  .version(__VERSION__)
  .enablePositionalOptions()
  .showHelpAfterError();

addDemoCommand(program);
addPlayCommand(program);
addAppCommand(program);
addWatchCommand(program);
addDoctorCommand(program);
addReportCommand(program);
addReplayCommand(program);
addLabCommand(program, __VERSION__);
addExperimentCommand(program, __VERSION__);
addSandboxCommand(program);

/** Errors that say what to do are shown as they are; anything else is a defect and shows its stack. */
function show(error: unknown): void {
  const isOurs = error instanceof Error && 'code' in error;
  const text =
    error instanceof CliError || isOurs
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`multipath-dash: ${text}\n`);
}

program.parseAsync().catch((error: unknown) => {
  show(error);
  process.exitCode = error instanceof CliError ? error.exitCode : 1;
});
