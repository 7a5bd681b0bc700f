import { parseScenario, ScenarioError, type ScenarioIssue } from '..';

/** The shortest scenario, five lines long. */
export const MINIMAL = `topology:
  kind: multihomed
  paths:
    wifi: { rate: 5mbit, delay: 10ms }
    lte: { rate: 600kbit, delay: 150ms, loss: 1% }
`;

const TRACES: Readonly<Record<string, string>> = {
  '/s/good.txt': '0 1000\n1000 3000\n2000 2000\n3000 2000\n',
  '/s/delays.json': '[{"duration_ms": 1000, "bandwidth_kbps": 1000, "latency_ms": 50}]',
  '/s/fast.txt': '0 10000\n1000 20000\n',
  '/s/bad.txt': '0 1000\n500 -3\n',
};

/** Reads a scenario whose folder holds two traces. */
export function parse(text: string, options: Partial<Parameters<typeof parseScenario>[2]> = {}) {
  const files = {
    resolve: (reference: string) => (reference.startsWith('/') ? reference : `/s/${reference}`),
    read: (file: string) => {
      const found = TRACES[file];
      if (found === undefined) throw new Error('ENOENT');
      return found;
    },
  };
  return parseScenario(text, 'lab/two.yaml', { files, ...options });
}

/** All problems of a scenario. */
export function issuesOf(text: string, options: Partial<Parameters<typeof parseScenario>[2]> = {}) {
  try {
    parse(text, options);
  } catch (error) {
    if (error instanceof ScenarioError) return error.issues;
    throw error;
  }
  throw new Error('it was accepted');
}

/** The only problem of a scenario. */
export const one = (text: string): ScenarioIssue => {
  const [first, ...more] = issuesOf(text);
  if (first === undefined || more.length > 0) throw new Error(`${more.length + 1} issues`);
  return first;
};
