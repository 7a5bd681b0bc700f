import type { PreparedMedia } from '../../lab';
import type { Scenario } from '../../scenario';
import { prepareTrials } from '../../runner/trial';

/** Media of a scenario, made if they are missing. No player is needed. */
export async function prepareMediaOnly(
  scenario: Scenario,
  signal: AbortSignal,
): Promise<PreparedMedia> {
  let lastLine = '';
  return prepareTrials(
    { ...scenario, players: [] },
    {
      signal,
      onProgress: ({ fraction, step }) => {
        const line = `[media] ${step} (${Math.floor(fraction * 20) * 5} % of all)`;
        if (line !== lastLine) process.stderr.write(`${line}\n`);
        lastLine = line;
      },
    },
  );
}
