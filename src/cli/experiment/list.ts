import type { Command } from 'commander';
import { ccKernelExperiment, experiments } from '../../experiments';
import { print, writeJson } from '../../runner/host';

interface Listed {
  name: string;
  summary: string;
  paper: string;
  lasts: { quick: string; whole: string };
}

const AQM_LAB: Listed = {
  name: 'aqm',
  summary: 'PIE and FQ-PIE under DASH over MPTCP, played in the lab',
  paper:
    'Quantifying Multimedia Streaming Quality: A Practical Analysis using PIE and Flow Queue PIE',
  lasts: { quick: 'about 10 minutes', whole: 'about 8 hours' },
};

const SWEEP: Listed = {
  name: 'sweep',
  summary: "any scenario's parameters x players x traces, into one table; simulated",
  paper: '',
  lasts: { quick: 'less than a minute', whole: 'about a second a session and core' },
};

function listed(): Listed[] {
  const simulated = experiments.map(({ name, summary, paper, lasts }) => ({
    name: name === 'aqm' ? 'aqm --simulated' : name,
    summary,
    paper,
    lasts,
  }));
  const { summary, paper, lasts } = ccKernelExperiment;
  const kernel: Listed = { name: 'cc --backend kernel', summary, paper, lasts };
  const place = simulated.findIndex(({ name }) => name === 'cc') + 1;
  return [AQM_LAB, ...simulated.slice(0, place), kernel, ...simulated.slice(place), SWEEP];
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
