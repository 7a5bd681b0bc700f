import { expect, it } from 'vitest';
import { InterfaceTable } from '../../kernel';
import { liveSubflow } from '../testing/fake-connections';
import {
  addressState,
  networkInfos,
  noFacts,
  planReports,
  withPaths,
  withWish,
} from './network-plan';

const WIFI = '10.0.1.2';
const LTE = '10.0.2.2';

function table(): InterfaceTable {
  const all = new InterfaceTable();
  all.setLink({ index: 2, name: 'wlan0', up: true, loopback: false });
  all.setLink({ index: 3, name: 'wwan0', up: true, loopback: false });
  all.addAddress(2, WIFI);
  all.addAddress(3, LTE);
  return all;
}

it('keeps a wish while its network is lost', () => {
  const all = table();
  const facts = withWish(noFacts, 'wwan0', 'backup');
  all.setLink({ index: 3, name: 'wwan0', up: false, loopback: false });
  expect(addressState(all, facts, LTE)).toBe('lost');
  all.setLink({ index: 3, name: 'wwan0', up: true, loopback: false });
  expect(addressState(all, facts, LTE)).toBe('backup');
  expect(addressState(all, withWish(facts, 'wwan0', 'active'), LTE)).toBe('active');
});

it('lists every network until one is known to lead to a server', () => {
  expect(networkInfos(table(), noFacts).map(({ pathId }) => pathId)).toEqual(['wlan0', 'wwan0']);
  const known = withPaths(noFacts, [['wwan0', LTE]]);
  expect(networkInfos(table(), known).map(({ pathId }) => pathId)).toEqual(['wwan0']);
});

it('reports a loss and a return once each', () => {
  const all = table();
  const destroy = { kind: 'destroy', subflow: liveSubflow(LTE), lost: true } as const;
  const end = { address: '10.9.0.1', port: 443 };
  const path = { network: 'wwan0', address: LTE, interfaceIndex: 3 };
  const create = { kind: 'create', path, remote: { id: 0, end }, backup: false } as const;
  const lost = planReports(all, noFacts, [destroy, destroy]);
  expect(lost.details).toEqual(['wwan0 was lost: its subflows are closed']);
  expect(planReports(all, lost.facts, [destroy]).details).toEqual([]);
  const back = planReports(all, lost.facts, [create]);
  expect(back.details).toEqual(['wwan0 is back']);
  expect(planReports(all, back.facts, [create]).details).toEqual([]);
});
