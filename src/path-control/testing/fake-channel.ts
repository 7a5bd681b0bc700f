import type { MptcpEndpoint } from '../../kernel';
import type { EndpointChannel } from '../endpoints/channel';

export interface FakeChannel extends EndpointChannel {
  endpoints: MptcpEndpoint[];
  /** Every change, in order. */
  readonly calls: string[];
  /** Thrown by the next change. */
  failNext: Error | undefined;
}

/** A kernel's path manager in memory. */
export function createFakeChannel(endpoints: MptcpEndpoint[]): FakeChannel {
  const call = (verb: string, endpoint: MptcpEndpoint, work: () => void): Promise<void> => {
    const failure = channel.failNext;
    channel.failNext = undefined;
    if (failure) return Promise.reject(failure);
    channel.calls.push(`${verb} ${endpoint.endpointId} ${endpoint.address} ${endpoint.flags}`);
    work();
    return Promise.resolve();
  };
  const without = ({ address }: MptcpEndpoint): MptcpEndpoint[] =>
    channel.endpoints.filter((item) => item.address !== address);
  const channel: FakeChannel = {
    through: 'direct',
    endpoints,
    calls: [],
    failNext: undefined,
    list: () => Promise.resolve(channel.endpoints.map((item) => ({ ...item }))),
    add: (item) => call('add', item, () => (channel.endpoints = [...channel.endpoints, item])),
    remove: (item) =>
      call('remove', item, () => {
        if (item.endpointId !== 0) channel.endpoints = without(item);
      }),
    setFlags: (item) => call('flags', item, () => (channel.endpoints = [...without(item), item])),
    close: () => undefined,
  };
  return channel;
}
