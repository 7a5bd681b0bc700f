import type { Command } from 'commander';
import { experiments, kernelExperiments, type Experiment } from '../../experiments';
import { print, writeJson } from '../../runner/host';

interface Listed {
  name: string;
  summary: string;
  paper: string;
  lasts: { quick: string; whole: string };
}

const SWEEP: Listed = {
  name: 'sweep',
  summary: "any scenario's parameters x players x traces, into one table; simulated",
  paper: '',
  lasts: { quick: 'less than a minute', whole: 'about a second a session and core' },
};

const listedAs = (name: string, { summary, paper, lasts }: Experiment): Listed => {
  return { name, summary, paper, lasts };
};

function listed(): Listed[] {
  const all = experiments.flatMap((experiment): Listed[] => {
    const { name } = experiment;
    const kernel = kernelExperiments[name];
    return [
      listedAs(name, experiment),
      ...(kernel === undefined ? [] : [listedAs(`${name} --backend kernel`, kernel)]),
    ];
  });
  return [...all, SWEEP];
}

function lines({ name, summary, paper, lasts }: Listed): string {
  const title = paper === '' ? '' : `  "${paper}"\n`;
  return `${name}\n  ${summary}\n${title}  --quick: ${lasts.quick}; whole: ${lasts.whole}\n`;
}

/** `experiment list`. */
export function addListCommand(group: Command): void {
  group
    .command('list')
    .description('every experiment, its paper if any and its duration')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) => {
      if (options.json === true) writeJson('-', { experiments: listed() });
      else print(process.stdout, listed().map(lines).join('\n'));
    });
}
