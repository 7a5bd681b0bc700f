import type { Command } from 'commander';
import { UserError, print } from '../../runner/host';
import { hasKept, keptExperiments, stalePages, writePage, type KnownReports } from './kept-pages';
import { readShipped } from './run-options';

/** `experiment pages`: writes the pages of the kept results, without a simulation. */
export function addPagesCommand(group: Command): void {
  group
    .command('pages')
    .summary('the pages of kept results')
    .description(
      'Renews the pages and pictures of docs/experiments from the results kept there; simulates nothing',
    )
    .argument('[folder]', 'of the pages', 'docs/experiments')
    .option('--check', 'change nothing; name the files that are not what the results give')
    .action((folder: string, { check }: { check?: boolean }) => {
      if (!hasKept(folder)) throw new UserError(`${folder}: no kept results are there`, 2);
      if (check === true) {
        const stale = stalePages(folder, readShipped);
        for (const file of stale)
          print(process.stdout, `${file} is out of date: run multipath-dash experiment pages\n`);
        if (stale.length > 0) process.exitCode = 1;
        return;
      }
      const known: KnownReports = new Map();
      for (const experiment of keptExperiments()) {
        if (writePage(experiment, folder, readShipped, known))
          print(process.stdout, `${experiment.name}: renewed\n`);
      }
    });
}
