import { afterEach, describe, expect, it } from 'vitest';
import { createChunkScheduler } from '../chunks';
import { monotonicClock } from '../kernel';
import { content, serveFile, TwoNetworks, type Route } from './testing/two-networks';

const file = content(1_500_000);
let lab: TwoNetworks;

async function serving(route: Route, scheduler = createChunkScheduler()): Promise<void> {
  lab = await new TwoNetworks(route, { scheduler }).start();
}
afterEach(() => lab.close());

const good: Route = (request, response) =>
  void setTimeout(() => serveFile(request, response, file), 40);

describe('an object with a guessed length', () => {
  it('is requested over both networks before the first answer', async () => {
    await serving(good);
    await lab.fetch('/first');
    const order: string[] = [];
    lab.route = (request, response, network) => {
      order.push(network);
      response.once('finish', () => order.push('answer'));
      // A busy machine sends the second request late.
      setTimeout(() => good(request, response, network), 500);
    };
    await lab.fetch('/next', { expectedBytes: file.length });
    expect(new Set(order.slice(0, order.indexOf('answer')))).toEqual(new Set(['a', 'b']));
  });

  it.each(['with', 'without'])(
    'keeps both networks if the guess is beyond the end and a 416 %s the length comes first',
    async (which) => {
      const scheduler = createChunkScheduler();
      const excluded = new Set<string>();
      const decide: typeof scheduler.decide = (state, observation) => {
        for (const object of observation.objects)
          for (const networkId of object.excluded ?? []) excluded.add(networkId);
        return scheduler.decide(state, observation);
      };
      await serving(good, { ...scheduler, decide });
      await lab.fetch('/first');
      const next = new Promise<Buffer>((resolve) => {
        lab.route = (request, response) => {
          const start = Number(/^bytes=(\d+)/.exec(request.headers.range ?? '')?.[1]);
          // The object ends where the first range begins that is not at its start.
          if (start > 0) resolve(file.subarray(0, start));
          void next.then((object) => {
            const isSilent = which === 'without' && start >= object.length;
            const answer = (): void =>
              isSilent ? void response.writeHead(416).end() : serveFile(request, response, object);
            setTimeout(answer, start > 0 ? 0 : 50);
          });
        };
      });
      const { body } = await lab.fetch('/next', { expectedBytes: file.length });
      expect(body.equals(await next)).toBe(true);
      expect(excluded).toEqual(new Set());
    },
  );

  it.each([1000, 0.5 * file.length, 3 * file.length])('of %i bytes comes whole', async (guess) => {
    await serving(good);
    await lab.fetch('/first');
    const { body } = await lab.fetch('/next', { expectedBytes: guess });
    expect(body.equals(file)).toBe(true);
    expect(lab.book.of(lab.url).joinable).toBe(true);
    expect(lab.book.exclusions(['a', 'b'], monotonicClock.nowMs())).toEqual([]);
  });
});
