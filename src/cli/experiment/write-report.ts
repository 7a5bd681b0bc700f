import path from 'node:path';
import {
  experimentText,
  renderExperiment,
  type ExperimentReport,
  type ExperimentRun,
} from '../../experiments';
import { forTerminal, print, writeJsonText, writeWhole } from '../../runner/host';
import { builtAssets } from '../../runner/run';

/**
 * Writes `<name>.json`, `.md` and `.html` into a folder, and the text on standard output.
 * @param json where the JSON goes as well; `-`: standard output, in place of the text
 */
export function writeReport(
  report: ExperimentReport,
  run: ExperimentRun,
  folder: string,
  json: string | undefined,
): void {
  const base = path.join(folder, report.name);
  // Unrounded: a thousandth here may be a loss ratio.
  const whole = `${JSON.stringify({ ...report, run }, undefined, 2)}\n`;
  const text = experimentText(report, run);
  writeWhole(`${base}.json`, whole);
  writeWhole(`${base}.md`, text);
  writeWhole(`${base}.html`, renderExperiment(report, run, builtAssets()));
  if (json !== undefined) writeJsonText(json, whole);
  if (json !== '-') print(process.stdout, `${forTerminal(text)}\n`);
  print(process.stderr, `[experiment ${report.name}] the same as a page: ${base}.html\n`);
}
