import { afterEach, expect, it } from 'vitest';
import { createChunkScheduler, type ConfiguredChunkScheduler, type FetchAction } from '../chunks';
import { content, TwoNetworks } from './testing/two-networks';

const CHUNKS = 12;
const chunk = content(20_000);
let lab: TwoNetworks;
afterEach(() => lab.close());

/** Asks both networks for each object, as where the first one seems to be late, and cancels neither. */
function twice(): ConfiguredChunkScheduler {
  const scheduler = createChunkScheduler();
  return {
    ...scheduler,
    decide(state, observation) {
      const { actions, ...decision } = scheduler.decide(state, observation);
      const fetches = actions.filter((action) => action.kind === 'fetch');
      const copies = fetches.map((action): FetchAction => {
        const networkId = action.networkId === 'a' ? 'b' : 'a';
        return { ...action, networkId, chunkId: 1000 + action.chunkId };
      });
      return { ...decision, actions: [...fetches, ...copies] };
    },
  };
}

it('keeps the first answer of a growing object when a second one arrives', async () => {
  let second = (): void => undefined;
  lab = await new TwoNetworks(
    (_, response) => {
      const isSecond = lab.seen.length > 1;
      const begin = (): void => {
        let count = 0;
        const timer = setInterval(() => {
          response.write(chunk);
          count += 1;
          if (count === 3 && !isSecond) second();
          if (count < CHUNKS) return;
          clearInterval(timer);
          response.end();
        }, 50);
        response.once('close', () => clearInterval(timer));
      };
      if (isSecond) second = begin;
      else begin();
    },
    { scheduler: twice() },
  ).start();
  const { head, body, failure } = await lab.fetch('/segment', { joinable: false });
  expect(failure).toBeUndefined();
  expect(head?.status).toBe(200);
  expect(body.equals(Buffer.concat(Array.from({ length: CHUNKS }, () => chunk)))).toBe(true);
  expect(lab.seen.map(({ network }) => network).sort()).toEqual(['a', 'b']);
});
