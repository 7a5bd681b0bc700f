import { expect, it, vi } from 'vitest';
import { createFakeTransport, createMemoryLogSink } from '../ports/testing';
import { embed } from './embed';
import { joinTransport } from './shared-transport';

it('the latest choice of a policy counts, whichever is loaded first', async () => {
  const setPolicy = vi.fn();
  const inner = {
    setPolicy,
    snapshot: vi.fn<() => never>(),
    subscribe: () => () => undefined,
    destroy: () => undefined,
  };
  const { multipath } = embed({}, () => inner);
  await Promise.all([multipath.setPolicy('metered'), multipath.setPolicy(undefined)]);
  expect(setPolicy.mock.calls).toEqual([[undefined]]);
  await multipath.setPolicy('metered');
  expect(setPolicy.mock.lastCall).toEqual(['metered']);
});

it('a second end of a player leaves the log to the next one', () => {
  const logSink = createMemoryLogSink();
  const build = () => ({
    snapshot: vi.fn<() => never>(),
    subscribe: () => () => undefined,
    destroy: () => undefined,
  });
  const first = embed({ logSink }, build).multipath;
  first.destroy();
  embed({ logSink }, build);
  first.destroy();
  expect(() => embed({ logSink }, build)).toThrow('logs another player');
});

it('a player that fails to build leaves its share of the connection', () => {
  const watch = vi.fn();
  const undo = vi.fn();
  const transport = { ...createFakeTransport(), watch, subscribe: () => undo };
  joinTransport(transport).transport.watch(['https://a']);
  const half = (): void =>
    void embed({ transport }, ({ transport: share }) => {
      share?.subscribe(() => undefined);
      share?.watch(['https://b']);
      throw new Error('wrong settings');
    });
  expect(half).toThrow('wrong settings');
  expect(undo).toHaveBeenCalled();
  expect(watch.mock.calls.at(-1)).toEqual([['https://a']]);
});
