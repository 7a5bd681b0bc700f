import { afterEach, expect, it } from 'vitest';
import { content, serveFile, TwoNetworks, type Fetched, type Route } from './testing/two-networks';

const file = content(600_000);
let lab: TwoNetworks;
afterEach(() => lab.close());

/** The origin signs a target for each request; `serve` answers there. */
async function signing(
  serve: (target: string, ...args: Parameters<Route>) => void,
  host = 'cdn.test',
): Promise<{ signed: () => number }> {
  let signed = 0;
  const resolve = (name: string): Promise<string[]> =>
    Promise.resolve([name.startsWith('gone') ? '127.0.0.77' : '127.0.0.1']);
  lab = await new TwoNetworks(
    (request, response, network) => {
      if (request.url !== '/x') {
        setTimeout(() => serve(request.url ?? '', request, response, network), 20);
        return;
      }
      signed += 1;
      const name = signed > 2 ? 'new.test' : host;
      const { port } = new URL(lab.url);
      const location = `http://${name}:${port}/signed-${network}-${signed}`;
      response.writeHead(signed % 2 === 0 ? 302 : 308, { Location: location }).end();
    },
    { resolve },
  ).start();
  return { signed: () => signed };
}

const expectFile = ({ body, failure }: Fetched): void => {
  expect(failure).toBeUndefined();
  expect(body.equals(file)).toBe(true);
};

it('the chunks of an object go to the target of the first redirect, each network to its own', async () => {
  const { signed } = await signing((_, request, response) => serveFile(request, response, file));
  expectFile(await lab.fetch('/x'));
  expect(lab.seen.length).toBeGreaterThan(4);
  // One or two requests of each network were under way before the first answer.
  expect(signed()).toBeLessThanOrEqual(4);
  for (const { network, url } of lab.seen)
    if (url !== '/x') expect(url).toContain(`signed-${network}-`);
});

it('a target that expired in mid-object is asked for anew at the origin', async () => {
  const uses = new Map<string, number>();
  const { signed } = await signing((target, request, response) => {
    const count = (uses.get(target) ?? 0) + 1;
    uses.set(target, count);
    if (count > 2) response.writeHead(403).end('expired');
    else serveFile(request, response, file);
  });
  expectFile(await lab.fetch('/x'));
  expect(signed()).toBeGreaterThan(1);
});

it('a target that expires under several requests of a network costs no network', async () => {
  const used = new Set<string>();
  const waiting = new Map<string, (() => void)[]>();
  let together = 0;
  await signing((target, request, response) => {
    const isFirstTarget = Number(target.split('-').at(-1)) <= 2;
    if (!isFirstTarget || !used.has(target)) {
      used.add(target);
      serveFile(request, response, file);
      return;
    }
    // All that are under way after a while are refused at once.
    const refusals = waiting.get(target) ?? [];
    if (refusals.length === 0) {
      waiting.set(target, refusals);
      setTimeout(() => {
        together = Math.max(together, refusals.length);
        for (const refuse of refusals.splice(0)) refuse();
      }, 300);
    }
    refusals.push(() => response.writeHead(403).end('expired'));
  });
  expectFile(await lab.fetch('/x'));
  expect(together).toBeGreaterThan(1);
});

it('a target that refuses at once is not asked for again and again', async () => {
  const { signed } = await signing((_, __, response) => void response.writeHead(403).end());
  expect((await lab.fetch('/x')).failure?.status).toBe(403);
  expect(signed()).toBeLessThanOrEqual(6);
});

it('a target that refuses connections is asked for anew at the origin', async () => {
  await signing((_, request, response) => serveFile(request, response, file), 'gone.test');
  expectFile(await lab.fetch('/x'));
});
