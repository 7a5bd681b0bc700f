import { expect, it, vi } from 'vitest';
import { parseScenario } from '../../scenario';

const calls = vi.hoisted(() => ({ ensureMedia: vi.fn() }));
vi.mock('../../lab', async (original) => ({ ...(await original<object>()), ...calls }));
const { prepareTrials } = await import('./prepare');

const files = { resolve: (name: string) => name, read: () => '' };

it('refuses an unknown congestion control before any media are made', async () => {
  const text =
    'topology: { kind: multihomed, paths: { wifi: { rate: 5mbit } } }\nserver: { congestionControl: bbr9 }\n';
  const scenario = parseScenario(text, 'a.yaml', { files });
  await expect(prepareTrials({ ...scenario, players: [] })).rejects.toThrow('bbr9 of node server');
  expect(calls.ensureMedia).not.toHaveBeenCalled();
});
