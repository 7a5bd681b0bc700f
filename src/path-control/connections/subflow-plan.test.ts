import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SUBFLOWS, planSubflows, type AddressState } from './subflow-plan';
import { liveSubflow } from '../testing/fake-connections';

const addresses = ['10.0.1.2', '10.0.2.2', '10.0.3.2', 'fd00::1'];
const remotes = ['10.9.0.1', '10.9.0.2', '10.9.0.3', 'fd00::9'].map((address, id) => ({
  id,
  end: { address, port: 443 },
}));
const anySubflow = fc
  .record({
    local: fc.constantFrom(...addresses),
    remoteAddress: fc.constantFrom(...remotes.map(({ end }) => end.address)),
    state: fc.constantFrom(
      'active' as const,
      'backup' as const,
      'connecting' as const,
      'closed' as const,
    ),
    backupLocal: fc.boolean(),
  })
  .map(({ local, ...more }) => liveSubflow(local, more));
const anyState = fc.constantFrom<AddressState>('active', 'backup', 'closed', 'lost', undefined);
const lives = ({ state }: { state: string }): boolean => state === 'active' || state === 'backup';

describe('planSubflows', () => {
  it('in any state, keeps a living subflow, opens none twice, none unwanted and not too many', () => {
    const world = fc.record({
      subflows: fc.array(anySubflow, { maxLength: 10 }),
      states: fc.tuple(anyState, anyState, anyState, anyState),
      there: fc.subarray(addresses),
    });
    fc.assert(
      fc.property(world, ({ subflows, states, there }) => {
        const stateOf = (address: string): AddressState => states[addresses.indexOf(address)];
        const actions = planSubflows({
          connection: { token: 1, remote: { address: '10.9.0.1', port: 443 }, subflows },
          paths: there.map((address) => ({ network: `n${address}`, address, interfaceIndex: 1 })),
          stateOf,
          remotes,
          mayCreate: () => true,
          isBackup: ({ backupLocal }) => backupLocal,
        });
        const ended = actions.flatMap((item) => (item.kind === 'destroy' ? [item.subflow] : []));
        const opened = actions.flatMap((item) => (item.kind === 'create' ? [item] : []));
        if (subflows.some(lives)) {
          expect(subflows.filter((item) => !ended.includes(item)).some(lives)).toBe(true);
        } else {
          expect(actions).toEqual([]);
        }
        for (const item of ended) expect(['lost', 'closed']).toContain(stateOf(item.local.address));
        const pairs = opened.map(({ path, remote }) => `${path.address} ${remote.end.address}`);
        expect(new Set(pairs).size).toBe(pairs.length);
        for (const { path, remote, backup } of opened) {
          expect(stateOf(path.address)).toBe(backup ? 'backup' : 'active');
          expect(path.address.includes(':')).toBe(remote.end.address.includes(':'));
          const there = subflows.some(
            ({ local, remote: to, state }) =>
              state !== 'closed' &&
              local.address === path.address &&
              to.address === remote.end.address,
          );
          expect(there).toBe(false);
        }
        if (opened.length > 0) {
          const kept = subflows.filter((item) => item.state !== 'closed' && !ended.includes(item));
          expect(
            kept.filter(({ local }) => !['lost', 'closed'].includes(stateOf(local.address) ?? ''))
              .length + opened.length,
          ).toBeLessThanOrEqual(MAX_SUBFLOWS);
        }
        // Ends come first, so that the server learns of them before anything else.
        const kinds = actions.map(({ kind }) => kind);
        expect(kinds.lastIndexOf('destroy')).toBeLessThan(ended.length);
      }),
    );
  });

  it('starts a subflow at the address in use, else at a global one', () => {
    const remote = { id: 1, end: { address: '2001:db8::9', port: 443 } };
    const other = { id: 2, end: { address: '2001:db8::8', port: 443 } };
    const paths = ['fd00::2', '2001:db8::2', '2001:db8::3'].map((address) => ({
      network: 'wwan0',
      address,
      interfaceIndex: 3,
    }));
    const from = (...used: string[]): string[] =>
      planSubflows({
        connection: {
          token: 1,
          remote: other.end,
          subflows: ['10.0.1.2', ...used].map((address) =>
            liveSubflow(address, { remoteAddress: other.end.address }),
          ),
        },
        paths,
        stateOf: () => 'active',
        remotes: [remote],
        mayCreate: () => true,
        isBackup: () => false,
      }).flatMap((action) => (action.kind === 'create' ? [action.path.address] : []));
    expect(from()).toEqual(['2001:db8::2']);
    expect(from('fd00::2')).toEqual(['fd00::2']);
  });
});
