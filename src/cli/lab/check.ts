import { errorText, printableLine } from '../../core';
import { simulationProblems } from '../../experiments';
import { LabError, planKernelNetwork, readMedia } from '../../lab';
import { print, UserError, writeJson } from '../../runner/host';
import { readScenario, scenarioFiles } from '../../runner/scenarios';
import { checkMediaLength } from '../../runner/trial';
import { traceLines } from './trace-lines';

export interface CheckOptions {
  set?: string[];
  json?: boolean;
}

/** Checks a scenario without privilege. @returns lines about it. @throws ScenarioError, UserError, LabError */
async function checkFile(file: string, { set }: CheckOptions): Promise<string[]> {
  const scenario = readScenario(file, set === undefined ? {} : { set });
  if (scenario.backend === 'kernel') planKernelNetwork(scenario);
  const { media } = scenario;
  if (media.kind === 'folder') checkMediaLength(scenario, await readMedia(media.dir, media.mpd));
  const refused = simulationProblems(scenario);
  return [
    `${file}: fine`,
    ...(refused.length > 0
      ? [`  note: a simulated sweep cannot play it: ${refused.join('; ')}`]
      : []),
    ...traceLines(scenario),
  ];
}

/** `lab check FILE|DIR...`. @throws UserError with all that is wrong */
export async function check(targets: readonly string[], options: CheckOptions): Promise<void> {
  const scenarios: { file: string; problems: string[] }[] = [];
  for (const file of targets.flatMap((target) => scenarioFiles(target, true))) {
    try {
      const lines = await checkFile(file, options);
      scenarios.push({ file, problems: [] });
      if (options.json === true) continue;
      print(process.stdout, lines.map((line) => `${printableLine(line)}\n`).join(''));
    } catch (error) {
      // The lab's errors do not know the file.
      const text = error instanceof LabError ? `${file}: ${error.message}` : errorText(error);
      scenarios.push({ file, problems: text.split('\n') });
    }
  }
  if (options.json === true) writeJson('-', { scenarios });
  const errors = scenarios.flatMap(({ problems }) => problems);
  if (errors.length > 0) throw new UserError(errors.join('\n'), 2);
}
