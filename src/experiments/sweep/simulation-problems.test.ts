import { expect, it } from 'vitest';
import { parseScenario, type Scenario } from '../../scenario';
import { simulationProblems } from './simulation-problems';

const files = { resolve: (name: string) => name, read: () => '' };
const BASE = 'topology: { kind: multihomed, paths: { wifi: { rate: 5mbit } } }\n';

const scenario = (more: string, base = BASE): Scenario =>
  parseScenario(`${base}${more}\n`, 'a.yaml', { files });

it.each([
  'events: [{ at: 1s, path: wifi, state: down, for: 2s }, { at: 9s, path: wifi, rate: 1mbit }]',
  'server: { congestionControl: mpd_lia }',
  'server: { congestionControl: lia }',
  'traffic: [{ kind: ftp, from: server, to: client }]',
])('finds nothing against %s', (more) => {
  expect(simulationProblems(scenario(more))).toEqual([]);
});

it.each([
  ['events: [{ at: 3s, server: down }]', 'no server-state: leave out the event at 3 s'],
  ['events: [{ at: 3s, path: wifi, address: new }]', 'no address-change'],
  ['server: { congestionControl: scalable }', 'no congestion control scalable (node server)'],
  ['server: { http: http2 }', 'no http2: set server.http=http1'],
  ['media: { kind: folder, dir: films }', 'sizes of media in a folder are not known'],
  ['media: { kind: ladder, video: [1mbit], live: { latency: 9s } }', 'no live streams'],
])('names what a simulated session cannot have: %s', (more, problem) => {
  expect(simulationProblems(scenario(more))).toEqual([expect.stringContaining(problem)]);
});

it('reads the control of a server only where the sweep names none, and of traffic always', () => {
  const own = { hasOwnCongestion: true };
  const server = scenario('server: { congestionControl: scalable }');
  expect(simulationProblems(server, own)).toEqual([]);
  const traffic = 'traffic: [{ kind: web, from: client, to: server }]';
  const base = BASE.replace(
    'kind: multihomed',
    'kind: multihomed, congestionControls: { client: scalable }',
  );
  expect(simulationProblems(scenario(traffic, base), own)).toEqual([
    expect.stringContaining('scalable (node client)'),
  ]);
});
