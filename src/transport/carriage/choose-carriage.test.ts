import { describe, expect, it } from 'vitest';
import { chooseCarriage, type CarriageFacts, type CarriageState } from './choose-carriage';

const usual: CarriageFacts = {
  networks: 2,
  server: 'other-machine',
  tunnel: { state: 'none' },
  isBudgetSpent: false,
  mptcp: { state: 'untried' },
};
const VPN = { state: 'found', name: 'wg0' } as const;
const NOT_JOINED = 'the server has no byte ranges with a strong validator';
const UNREACHED = 'No network reaches the server by itself: timeout';
const multipath = { state: 'multipath', subflows: 2 } as const;

const cases: [string, Partial<CarriageFacts>, CarriageState][] = [
  ['two networks', {}, 'ranges'],
  ['five networks', { networks: 5 }, 'ranges'],
  ['MPTCP that would work', { mptcp: multipath }, 'ranges'],
  ['a player without MPTCP', { mptcp: { state: 'unusable' } }, 'ranges'],
  ['a spent budget', { isBudgetSpent: true }, 'ranges'],
  ['answers that cannot be joined', { notJoined: NOT_JOINED }, 'mptcp-probe'],
  ['a probe under way', { notJoined: NOT_JOINED, mptcp: { state: 'probing' } }, 'mptcp-probe'],
  ['a probe that found subflows', { notJoined: NOT_JOINED, mptcp: multipath }, 'mptcp'],
  [
    'a probe that found none',
    { notJoined: NOT_JOINED, mptcp: { state: 'single' } },
    'whole-objects',
  ],
  [
    'neither ranges nor MPTCP',
    { notJoined: NOT_JOINED, mptcp: { state: 'unusable' } },
    'whole-objects',
  ],
  [
    'MPTCP whose other network went',
    { notJoined: NOT_JOINED, mptcp: multipath, networks: 1 },
    'mptcp',
  ],
  ['no network', { networks: 0 }, 'one-network'],
  ['one network', { networks: 1 }, 'one-network'],
  ['one network with a spent budget', { networks: 1, isBudgetSpent: true }, 'one-network'],
  ['one network without ranges', { networks: 1, notJoined: NOT_JOINED }, 'one-network'],
  ['a server on this machine', { server: 'this-machine' }, 'own-host'],
  ['a server not located yet', { server: 'unknown' }, 'own-host'],
  ['a VPN', { tunnel: VPN }, 'tunnel'],
  ['routes that cannot be read', { tunnel: { state: 'unknown', reason: 'no netlink' } }, 'tunnel'],
  ['a VPN beside MPTCP', { tunnel: VPN, notJoined: NOT_JOINED, mptcp: multipath }, 'tunnel'],
  ['a proxy', { proxy: 'proxy:3128' }, 'proxy'],
  ['a proxy beside one network', { proxy: 'proxy:3128', networks: 1 }, 'proxy'],
  ['a proxy beside MPTCP', { proxy: 'p', notJoined: NOT_JOINED, mptcp: multipath }, 'proxy'],
  ['a server that no network reaches', { unreached: UNREACHED }, 'unreached'],
  ['the same with a spent budget', { unreached: UNREACHED, isBudgetSpent: true }, 'ranges'],
];

describe('chooseCarriage', () => {
  it.each(cases)('%s', (_, facts, state) => {
    expect(chooseCarriage({ ...usual, ...facts }).state).toBe(state);
  });

  it('gives the viewer the reason against byte ranges', () => {
    expect(chooseCarriage({ ...usual, notJoined: NOT_JOINED, mptcp: multipath }).reason).toBe(
      `MPTCP over 2 subflows: ${NOT_JOINED}.`,
    );
    expect(chooseCarriage({ ...usual, unreached: UNREACHED }).reason).toBe(UNREACHED);
  });
});
