// The `sandbox` command alone, from its source: `main.ts` needs a build.
import { Command } from 'commander';
import { addSandboxCommand } from '../command';

const program = new Command().enablePositionalOptions();
addSandboxCommand(program);
await program.parseAsync();
