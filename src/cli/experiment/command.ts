import type { Command } from 'commander';
import { addRunCommands } from './backend-command';
import { addListCommand } from './list';
import { addNetworksCommand } from './networks-command';
import { addPagesCommand } from './pages-command';
import { addSimulatedCommands } from './simulated-command';
import { addSweepCommand } from './sweep-command';

/** `multipath-dash experiment ...`. @param version of this program, for the run's record */
export function addExperimentCommand(program: Command, version: string): void {
  const experiment = program
    .command('experiment')
    .description('repeat the experiments of papers and compare what comes out');
  addListCommand(experiment);
  addSimulatedCommands(experiment, version);
  addSweepCommand(experiment, version);
  addPagesCommand(experiment);
  addNetworksCommand(experiment);
  addRunCommands(experiment);
}
