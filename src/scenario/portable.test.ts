import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseScenario, portableScenario, type ParseScenarioOptions, type Scenario } from '.';

const shipped = path.resolve(import.meta.dirname, '../../scenarios');
const filesIn = (folder: string): ParseScenarioOptions['files'] => ({
  resolve: (reference) => path.resolve(folder, reference),
  read: (file) => readFileSync(file, 'utf8'),
});

/** The scenario without its name and the places of its traces, which depend on the file's place. */
const content = (scenario: Scenario): unknown =>
  JSON.parse(
    JSON.stringify({ ...scenario, name: '' }, (key, value: unknown) =>
      key === 'file' ? '' : value,
    ),
  );

function again(file: string, changes: Omit<ParseScenarioOptions, 'files'>): [unknown, unknown] {
  const text = readFileSync(file, 'utf8');
  const options = { ...changes, files: filesIn(path.dirname(file)) };
  const { text: copy, files } = portableScenario(text, file, options);
  // Elsewhere: only what was copied can be read.
  const read = (name: string): string => files.get(name) ?? expect.fail(`${name} was not copied`);
  const elsewhere = { resolve: (reference: string) => reference, read };
  return [
    content(parseScenario(copy, 'scenario.yaml', { files: elsewhere })),
    content(parseScenario(text, file, options)),
  ];
}

it.each(
  readdirSync(shipped, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.yaml') && !name.endsWith('.sweep.yaml'),
  ),
)('%s gives the same scenario from another folder', (name) => {
  const file = path.join(shipped, name);
  const [copy, original] = again(file, {});
  expect(copy).toEqual(original);
  const [short, shortened] = again(file, { durationMs: 15_000, trials: 2 });
  expect(short).toEqual(shortened);
});

it.each([['ours'], ['ours', 'multipath@ranges', 'bola@each-path', 'bola@lte']])(
  'keeps the settings of the chosen players, and each once: %s',
  (...names) => {
    const text = `topology: { kind: multihomed, paths: { wifi: { rate: 5mbit }, lte: { rate: 1mbit } } }
players: [{ abr: multipath, bufferTarget: 12s }, { abr: bola, over: each-path, bufferTarget: 9s }]
`;
    const options = { files: filesIn('.'), players: names };
    const original = parseScenario(text, 'a.yaml', options);
    expect(original.players[0]?.bufferTargetMs).toBe(12_000);
    const copy = portableScenario(text, 'a.yaml', options).text;
    expect(content(parseScenario(copy, 'a.yaml', { files: filesIn('.') }))).toEqual(
      content(original),
    );
  },
);

it('keeps the traffic and its names within a shorter duration', () => {
  const text = `topology: { kind: multihomed, paths: { wifi: { rate: 5mbit } } }
traffic:
  - { kind: ftp, from: server, to: client, start: 20s }
  - { kind: ftp, from: server, to: client }
`;
  const options = { files: filesIn('.'), durationMs: 15_000 };
  const original = parseScenario(text, 'a.yaml', options);
  const copy = portableScenario(text, 'a.yaml', options).text;
  expect(original.traffic).toMatchObject([{ id: 'ftp-2' }]);
  expect(content(parseScenario(copy, 'a.yaml', { files: filesIn('.') }))).toEqual(
    content(original),
  );
});

it('includes the --set values and the players of the command line', () => {
  const [copy, original] = again(path.join(shipped, 'decisions/trace-1.yaml'), {
    set: ['topology.paths.wifi.delay=55ms', 'topology.paths.lte.trace.scale=0.5', 'seed=9'],
    players: ['bola@each-path', 'l2a@wifi', 'ours'],
  });
  expect(copy).toEqual(original);
  expect(copy).toMatchObject({ seed: 9 });
});
