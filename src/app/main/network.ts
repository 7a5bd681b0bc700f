import { createTransportHub, type Transport } from '../../ports';

export function openNetwork(): Transport {
  const hub = createTransportHub({ state: 'unobservable', reason: 'no feed yet' });
  return {
    nowMs: () => Number(process.hrtime.bigint()) / 1e6,
    subscribe: (l) => hub.subscribe(l),
    watch: () => {},
    close: () => hub.publish({ type: 'closed', reason: 'closed' }),
  };
}
