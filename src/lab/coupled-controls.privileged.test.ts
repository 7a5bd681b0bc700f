import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  COUPLED_CONTROLS,
  findCoupledLoader,
  holdCoupledControls,
  listCoupledControls,
} from './coupled-controls';
import { reasonToSkip, runFixture } from './testing/sandboxed';

const reason = await reasonToSkip();
const title = `coupled congestion controls${reason === undefined ? '' : ` (skipped: ${reason})`}`;

const line = { rateBps: 5e6, delayMs: 5, queue: { discipline: 'droptail' } };
const outputSchema = v.object({ answers: v.array(v.string()) });

async function loaded(): Promise<string[]> {
  const controls = await listCoupledControls();
  return controls.filter(({ isLoaded }) => isLoaded).map(({ name }) => name);
}

describe.skipIf(reason !== undefined)(title, () => {
  it('are accepted by the verifier, and leave the kernel with their holder', async () => {
    const before = await loaded();
    const release = await holdCoupledControls(COUPLED_CONTROLS);
    expect(await loaded()).toEqual(COUPLED_CONTROLS);
    await release();
    expect(await loaded()).toEqual(before);
  });

  it('leave the kernel after a SIGKILL of the holder', async () => {
    const before = await loaded();
    const holder = spawn(findCoupledLoader(), ['hold', 'mpd_lia'], { stdio: 'pipe' });
    await once(holder.stdout, 'data');
    expect(await loaded()).toContain('mpd_lia');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    await expect.poll(loaded).toEqual(before);
  });

  it('steer every subflow of a connection whose server names one', async () => {
    const before = await loaded();
    const { answers } = v.parse(
      outputSchema,
      await runFixture('network', {
        source: {
          kind: 'multihomed',
          paths: ['wifi', 'lte'].map((id) => ({ id, down: line, up: line })),
          congestionControl: 'mpd_olia',
        },
        atOnce: true,
        transfers: [{ from: 'server', to: 'client', bytes: 3_000_000, mptcp: true }],
        ask: [
          {
            node: 'server',
            command: "ss -tin state established | grep -o 'mpd_[a-z]*' | sort | uniq -c",
          },
        ],
      }),
    );
    expect(answers[0]?.trim()).toBe('2 mpd_olia');
    expect(await loaded()).toEqual(before);
  });
});
