import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseScenario, type Scenario } from '../../../src/scenario';

/** @throws ScenarioError naming file, line and field */
export function loadScenario(file: string): Scenario {
  const read = (name: string): string => readFileSync(name, 'utf8');
  const resolve = (reference: string): string => path.resolve(path.dirname(file), reference);
  return parseScenario(read(file), file, { files: { resolve, read } });
}

/** Wi-Fi and cellular as recorded on one walk, with the queues of the scenarios with traces. */
export function walkScenario(folder: string, name: string): Scenario {
  const text = [
    'topology:',
    '  kind: multihomed',
    '  paths:',
    '    wifi: { trace: walk-0-wifi.json, delay: 10ms, queue: 60kB }',
    '    lte: { trace: walk-0-lte.json, delay: 35ms, queue: 100kB }',
    'media: { kind: ladder, video: [300kbit, 600kbit, 1mbit, 1800kbit, 3mbit, 4500kbit, 6mbit], segment: 2s, pictures: small }',
    'players: [ours]',
    'duration: 60s',
  ].join('\n');
  return parseScenario(text, `walk-${name}.yaml`, {
    files: {
      resolve: (reference) => path.resolve(folder, reference),
      read: (file) => readFileSync(file, 'utf8'),
    },
  });
}
