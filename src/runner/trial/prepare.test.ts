import { expect, it, vi } from 'vitest';
import { parseScenario } from '../../scenario';
import { prepareTrials } from './prepare';

const files = { resolve: (name: string) => name, read: () => '' };

it('refuses an unknown congestion control before any media are made', async () => {
  const text =
    'topology: { kind: multihomed, paths: { wifi: { rate: 5mbit } } }\nserver: { congestionControl: bbr9 }\n';
  const scenario = { ...parseScenario(text, 'a.yaml', { files }), players: [] };
  const makeMedia = vi.fn(() => Promise.reject(new Error('made')));
  await expect(prepareTrials(scenario, {}, makeMedia)).rejects.toThrow('bbr9 of node server');
  expect(makeMedia).not.toHaveBeenCalled();
});
