// A gateway in a process of its own, so that its processor time and memory are its own: a child of `cost.ts`.
import { NetworkFetcher, startGateway } from '../../../src/fetch';
import { loadNative, monotonicClock } from '../../../src/kernel';

export type GatewayMessage =
  | { type: 'ready'; url: string }
  | { type: 'usage'; cpuMs: number; rssBytes: number; wastedBytes: number };

const [, , origin = ''] = process.argv;
const fetcher = new NetworkFetcher({ addon: loadNative(), clock: monotonicClock });
await fetcher.ready;
const gateway = await startGateway({ fetcher, pageOrigins: new Set() });
gateway.allow([origin]);
const send = (message: GatewayMessage): void => void process.send?.(message);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const { networks } = fetcher.report();
  const wastedBytes = networks.reduce((sum, one) => sum + one.duplicateBytes + one.unreadBytes, 0);
  send({
    type: 'usage',
    cpuMs: (user + system) / 1000,
    rssBytes: process.memoryUsage().rss,
    wastedBytes,
  });
});
process.on('disconnect', () => process.exit(0));
send({ type: 'ready', url: gateway.url });
