import { expect, it } from 'vitest';
import { expandTopology, type DirectionSpec } from '../../scenario';
import { labTopology } from './lab-topology';
import { renewalLines, undoRenewalLines } from './renew-address';

const line: DirectionSpec = { rateBps: 5e6, delayMs: 5, queue: { discipline: 'droptail' } };
const lab = labTopology(
  expandTopology({
    kind: 'multihomed',
    paths: [
      { id: 'wifi', down: line, up: line },
      { id: 'lte', down: line, up: line },
    ],
  }),
);
const [wifi] = lab.links;
if (wifi === undefined) throw new Error('no link');

it('replaces the address, its rules and the routes that vanish with it, and can undo the rules', () => {
  const [client] = renewalLines(lab, wifi, 2).filter(({ node }) => node === 'client');
  expect(client?.lines.slice(0, 2)).toEqual([
    'address del 10.77.1.3/24 dev wifi',
    'address add 10.77.1.4/24 dev wifi',
  ]);
  expect(client?.lines.filter((one) => one.startsWith('route add'))).toEqual([]);
  const rules = (client?.lines ?? []).filter((one) => one.startsWith('rule'));
  expect(rules.length).toBeGreaterThan(0);
  for (const rule of rules) expect(rule).toContain('10.77.1.4/32');
  expect(client?.lines.join()).not.toContain('dev lte');
  const undone = undoRenewalLines(lab, wifi, 2).flatMap(({ lines }) => lines);
  for (const rule of rules) expect(undone).toContain(rule.replace('rule add', 'rule del'));
  expect(undone).toHaveLength(2 * rules.length);
});
