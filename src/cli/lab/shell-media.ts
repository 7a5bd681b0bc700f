import type { PreparedMedia } from '../../lab';
import type { Scenario } from '../../scenario';
import { prepareTrials } from './trial';

/** Media of a scenario, made where they are missing; nobody has to be able to play them. */
export async function prepareMediaOnly(
  scenario: Scenario,
  signal: AbortSignal,
): Promise<PreparedMedia> {
  let lastTold = '';
  return prepareTrials(
    { ...scenario, players: [] },
    {
      signal,
      onProgress: ({ fraction, step }) => {
        const line = `[media] ${step} (${Math.floor(fraction * 20) * 5} % of all)`;
        if (line !== lastTold) process.stderr.write(`${line}\n`);
        lastTold = line;
      },
    },
  );
}
