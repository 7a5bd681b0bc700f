import { claimsText, claimsTable, runLines, tableLines } from './text';
import type { ExperimentReport, ExperimentRun } from './types';

/** A figure's file, beside the page. */
export const pictureFile = (experiment: string, index: number): string =>
  `figures/${experiment}-${index + 1}.svg`;

/** Measured results name the machine, simulated ones do not. Neither names the memory. */
const factsOf = (run: ExperimentRun, { simulated }: ExperimentReport): ExperimentRun => {
  const { kernel, processor, processors } = run.machine;
  const machine = { kernel, processor, processors } as Record<string, string | number>;
  return { ...run, machine: simulated ? {} : machine };
};

/** A report as the part of a Markdown page: statements, tables and the figures' pictures. */
export function resultsSection(report: ExperimentReport, run: ExperimentRun): string {
  const lines = [
    ...runLines(factsOf(run, report), report),
    ...(report.claims.length === 0 ? [] : [claimsText(report)]),
  ];
  return [
    ...lines.flatMap((line) => [line, '']),
    ...(report.claims.length === 0 ? [] : [...claimsTable(report), '']),
    ...report.tables.flatMap((table) => tableLines(table, '###')),
    ...report.figures.flatMap(({ title }, index) => [
      `![${title}](${pictureFile(report.name, index)})`,
      '',
    ]),
  ].join('\n');
}
