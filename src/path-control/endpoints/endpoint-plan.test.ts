import { describe, expect, it } from 'vitest';
import { InterfaceTable, type MptcpEndpoint } from '../../kernel';
import { Changes } from './changes';
import type { AbsentEndpoint, EndpointUse, FoundEndpoints } from './endpoint-state';
import { planLoss, planRejoins, planReturn } from './network-plan';
import { planWanted } from './wanted-plan';

const WIFI = '10.0.1.2';
const LTE = '10.0.2.2';
const keep: EndpointUse = { foreignEndpoints: 'keep', isUsed: (address) => address === WIFI };
const suspend: EndpointUse = { ...keep, foreignEndpoints: 'suspend' };

const endpoint = (address: string, flags = 2): MptcpEndpoint => ({
  endpointId: 1,
  address,
  port: 0,
  flags,
  interfaceIndex: 0,
});
const absentLte = (state: AbsentEndpoint['state']): FoundEndpoints['absent'] =>
  new Map([[LTE, { state, endpoint: endpoint(LTE), pathId: 'wwan0' }]]);

function found(more: Partial<FoundEndpoints> = {}): FoundEndpoints & { table: InterfaceTable } {
  const table = new InterfaceTable();
  table.setLink({ index: 2, name: 'wlan0', up: true, loopback: false });
  table.setLink({ index: 3, name: 'wwan0', up: true, loopback: false });
  table.addAddress(2, WIFI);
  table.addAddress(3, LTE);
  const none = new Map<string, never>();
  return {
    endpoints: [],
    changes: new Changes(),
    absent: none,
    rejoins: none,
    flagRetries: none,
    ...more,
    table,
  };
}
const kinds = (actions: readonly { kind: string }[]): string[] => actions.map(({ kind }) => kind);

describe('planWanted', () => {
  it('plans nothing for an endpoint that stands as wanted', () => {
    const plan = planWanted(
      found({ endpoints: [endpoint(LTE)] }),
      { name: 'wwan0', state: 'active' },
      keep,
    );
    expect(kinds(plan)).toEqual(['forget-flag-retries']);
  });

  it('repeats a flag that the subflows do not follow, three times at most', () => {
    const use: EndpointUse = { ...keep, shownState: () => 'backup' };
    const after = (retries: number): string[] =>
      kinds(
        planWanted(
          found({ endpoints: [endpoint(LTE)], flagRetries: new Map([[LTE, retries]]) }),
          { name: 'wwan0', state: 'active' },
          use,
        ),
      );
    expect([0, 2, 3].map(after)).toEqual([['repeat-backup'], ['repeat-backup'], []]);
  });

  it('takes a foreign endpoint out only where that is allowed', () => {
    const start = found({ endpoints: [endpoint(LTE)] });
    const wanted = { name: 'wwan0', state: 'closed' } as const;
    expect(() => planWanted(start, wanted, keep)).toThrow(/not deleted/);
    expect(planWanted(start, wanted, suspend)).toMatchObject([
      { kind: 'take-out', later: { state: 'closed', pathId: 'wwan0', endpoint: { flags: 2 } } },
    ]);
  });

  it('lets an own endpoint without `subflow` return with it', () => {
    const changes = new Changes();
    changes.note(WIFI, undefined, endpoint(WIFI, 0));
    const start = found({ endpoints: [endpoint(WIFI, 0)], changes });
    expect(planWanted(start, { name: WIFI, state: 'closed' }, keep)).toMatchObject([
      { kind: 'take-out', endpoint: { flags: 0 }, later: { endpoint: { flags: 2 } } },
    ]);
  });

  it('gives a network one endpoint a family, first at a global address', () => {
    const start = found();
    for (const address of ['fd00::2', '2001:db8::2', '2001:db8::3', '10.0.2.3']) {
      start.table.addAddress(3, address);
    }
    const created = (isUsed: (address: string) => boolean, state: 'active' | 'backup') =>
      planWanted(start, { name: 'wwan0', state }, { ...keep, isUsed }).map((action) =>
        action.kind === 'create' ? action.endpoint.address : action.kind,
      );
    expect(created(() => false, 'active')).toEqual([LTE, '2001:db8::2']);
    expect(created((address) => address === 'fd00::2', 'active')).toEqual([LTE]);
    expect(created((address) => address === 'fd00::2', 'backup')).toEqual([LTE, 'fd00::2']);
  });

  it('makes every address in use a backup', () => {
    const start = found();
    for (const address of ['2001:db8::2', '2001:db8::3', '2001:db8::4']) {
      start.table.addAddress(3, address);
    }
    const isUsed = (address: string): boolean => ['2001:db8::3', '2001:db8::4'].includes(address);
    const plan = planWanted(start, { name: 'wwan0', state: 'backup' }, { ...keep, isUsed });
    expect(
      plan.map((action) => (action.kind === 'create' ? action.endpoint.address : action.kind)),
    ).toEqual([LTE, '2001:db8::3', '2001:db8::4']);
  });

  it('puts a closed endpoint back at once, and a lost one with its address', () => {
    const wanted = { name: 'wwan0', state: 'backup' } as const;
    const closed = planWanted(found({ absent: absentLte('closed') }), wanted, keep);
    expect(closed).toMatchObject([
      { kind: 'note-absent', item: { state: 'closed' } },
      { kind: 'put-back', endpoint: { address: LTE, flags: 6 }, rejoin: false },
    ]);
    const gone = found({ absent: absentLte('closed') });
    gone.table.removeAddress(3, LTE);
    expect(planWanted(gone, wanted, keep)).toMatchObject([
      { kind: 'note-absent', item: { state: 'lost', endpoint: { flags: 6 } } },
    ]);
  });

  it('keeps a path closed that is closed while it is lost', () => {
    const plan = planWanted(
      found({ absent: absentLte('lost') }),
      { name: 'wwan0', state: 'closed' },
      keep,
    );
    expect(plan).toMatchObject([{ kind: 'note-absent', item: { state: 'closed' } }]);
  });
});

describe('a network that goes and comes', () => {
  it('ends first subflows without an endpoint where one is in use', () => {
    const lose = (name: string): string[] =>
      kinds(planLoss(found(), { name, address: undefined }, keep));
    expect(lose('wlan0')).toEqual(['end-first-subflows']);
    expect(lose('wwan0')).toEqual([]);
  });

  it('brings back lost endpoints, not closed ones, and only on a link that is up', () => {
    const back = (start: FoundEndpoints): string[] =>
      kinds(planReturn(start, { name: 'wwan0', abandoned: false }, keep));
    expect(back(found({ absent: absentLte('lost') }))).toEqual(['put-back']);
    expect(back(found({ absent: absentLte('closed') }))).toEqual([]);
    const down = found({ absent: absentLte('lost') });
    down.table.setLink({ index: 3, name: 'wwan0', up: false, loopback: false });
    expect(back(down)).toEqual([]);
  });

  it('brings back an endpoint on the interface that has its address now', () => {
    const absent = absentLte('lost');
    const item = absent.get(LTE);
    if (!item) throw new Error('an absent endpoint was made');
    const bound = new Map([[LTE, { ...item, endpoint: { ...item.endpoint, interfaceIndex: 3 } }]]);
    const start = found({ absent: bound });
    start.table.removeLink(3);
    start.table.setLink({ index: 9, name: 'usb0', up: true, loopback: false });
    start.table.addAddress(9, LTE);
    expect(planReturn(start, { name: 'usb0', abandoned: false }, keep)).toMatchObject([
      { kind: 'put-back', endpoint: { address: LTE, interfaceIndex: 9 } },
    ]);
  });

  it('replaces the endpoint of an address that changed', () => {
    const start = found({ absent: absentLte('lost') });
    start.table.removeAddress(3, LTE);
    start.table.addAddress(3, '10.0.2.7');
    expect(planReturn(start, { name: 'wwan0', abandoned: false }, keep)).toMatchObject([
      { kind: 'create', endpoint: { address: '10.0.2.7', flags: 2 }, rejoin: true },
      { kind: 'forget-absent', address: LTE },
    ]);
  });

  it('rejoins an unused endpoint five times at most', () => {
    const after = (attempts: number): string[] =>
      kinds(
        planRejoins(
          found({ endpoints: [endpoint(LTE)], rejoins: new Map([[LTE, attempts]]) }),
          'wwan0',
          keep,
        ),
      );
    expect([0, 4, 5].map(after)).toEqual([['rejoin'], ['rejoin'], ['forget-rejoins']]);
  });
});
