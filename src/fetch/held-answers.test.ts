import { expect, it } from 'vitest';
import { content, serveFile, TwoNetworks, type Route } from './testing/two-networks';

const file = content(300_000);

/** Answers at once, except for requests that it never answers. */
const holding: Route = (request, response) => {
  if (request.url?.startsWith('/held') === true) return;
  serveFile(request, response, file);
};

it.each(['the same server', 'another server'])(
  'segments come while two answers of %s are held back',
  async (which) => {
    const lab = await new TwoNetworks(holding).start();
    const other = await new TwoNetworks(holding).start();
    const own = lab.url;
    await lab.fetch('/first');
    if (which === 'another server') lab.url = other.url;
    for (const name of ['/held-1', '/held-2']) void lab.fetch(name, { joinable: false });
    lab.url = own;
    for (const name of ['/a', '/b', '/c']) {
      const { failure, body } = await lab.fetch(name);
      expect(failure, name).toBeUndefined();
      expect(body.equals(file), name).toBe(true);
    }
    await Promise.all([lab.close(), other.close()]);
  },
  12_000,
);
