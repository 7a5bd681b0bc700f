import { Command } from 'commander';
import { addAgentCommand } from './agent/command';
import { addAppCommand } from './app/command';
import { programFolders } from '../kernel';
import { surviveLostOutput, warn } from '../runner/host';
import { addCongestionCommand } from './congestion/command';
import { addDemoCommand } from './demo/command';
import { addDoctorCommand } from './doctor/command';
import { exitOf, usageLine } from './exit';
import { withJsonHint } from './json-hint';
import { addExperimentCommand } from './experiment/command';
import { addLabCommand } from './lab/command';
import { addPlayCommand } from './play/command';
import { addReplayCommand } from './replay/command';
import { addReportCommand } from './report/command';
import { addSandboxCommand } from './sandbox/command';
import { addSenderDecisionCommand } from './sender-decision/command';
import { addSoakCommand } from './soak/command';
import { addWatchCommand } from './watch/command';

declare const __VERSION__: string;

process.env['PATH'] = programFolders(process.env['PATH']);

const program = new Command('multipath-dash')
  .description(
    'Multipath-aware DASH player: plays, watches and measures streams over several networks',
  )
  .version(__VERSION__)
  .enablePositionalOptions()
  // Inherited by the commands below: without it each would exit with 1.
  .exitOverride()
  .configureOutput({
    outputError: (text) => warn(usageLine(withJsonHint(program, text, process.argv.slice(2)))),
  });

addDemoCommand(program);
addPlayCommand(program);
addAppCommand(program);
addAgentCommand(program);
addWatchCommand(program);
addDoctorCommand(program);
addReportCommand(program);
addReplayCommand(program);
addLabCommand(program, __VERSION__);
addExperimentCommand(program, __VERSION__);
addCongestionCommand(program);
addSenderDecisionCommand(program);
addSoakCommand(program, __VERSION__);
addSandboxCommand(program);

surviveLostOutput(process.stdout);
surviveLostOutput(process.stderr);

program.parseAsync().catch((error: unknown) => {
  const { status, text } = exitOf(error);
  if (text !== '') warn(text);
  process.exitCode = status;
});
