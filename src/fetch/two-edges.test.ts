import { expect, it } from 'vitest';
import { EDGES, hasNginx, serveTwoEdges } from './testing/two-edges';
import { content, TwoNetworks } from './testing/two-networks';

it.skipIf(!hasNginx)(
  'two edges of a CDN, each behind one network, are never mixed: once their validators differ, segments come whole',
  async () => {
    const names = Array.from({ length: 8 }, (_, index) => `${index}.m4s`);
    const segment = content(400_000);
    const edges = await serveTwoEdges(Object.fromEntries(names.map((name) => [name, segment])));
    const lab = await new TwoNetworks((_, response) => void response.end(), {
      host: 'media.test',
      resolve: (_, { id }) => Promise.resolve([id === 'a' ? EDGES[0] : EDGES[1]]),
    }).start();
    try {
      lab.url = `http://media.test:${edges.port}`;
      const fetchAll = async (): Promise<void> => {
        const all = await Promise.all(names.map((name) => lab.fetch(`/${name}`)));
        expect(all.every(({ body }) => body.equals(segment))).toBe(true);
      };
      const facts = lab.book.of(lab.url);
      for (let turn = 0; turn < 4 && facts.wholeReason === undefined; turn += 1) await fetchAll();
      expect(facts.wholeReason).toMatch(/validators differ/);
      await fetchAll();
    } finally {
      await lab.close();
      await edges.close();
    }
  },
);
