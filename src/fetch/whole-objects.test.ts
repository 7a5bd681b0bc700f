import { afterEach, expect, it } from 'vitest';
import { createChunkScheduler } from '../chunks';
import { content, TwoNetworks, type NetworkName, type Route } from './testing/two-networks';

const file = content(600_000);
let lab: TwoNetworks;
afterEach(() => lab.close());

/** Bytes of the file every 20 ms. */
function trickled(bytesPerStep: (network: NetworkName) => number, headers = {}): Route {
  return (_, response, network) => {
    response.writeHead(200, { 'Content-Length': file.length, ...headers });
    let at = 0;
    const timer = setInterval(() => {
      const end = at + bytesPerStep(network);
      response.write(file.subarray(at, end));
      at = end;
      if (at >= file.length) response.end();
      if (at >= file.length) clearInterval(timer);
    }, 20);
    response.once('close', () => clearInterval(timer));
  };
}

it.each([
  ['no validator', () => ({})],
  ['another validator over each network', (network: string) => ({ ETag: `"${network}"` })],
])(
  'a network that was slow is asked again for whole objects with %s, and no bytes are mixed',
  async (_, headersOf: (network: string) => object) => {
    let slow = 4000;
    const step = (network: NetworkName): number => (network === 'a' ? 12_000 : slow);
    const scheduler = createChunkScheduler('common-finish', { probeMs: 200 });
    lab = await new TwoNetworks(
      (request, response, network) =>
        trickled(step, headersOf(network))(request, response, network),
      { scheduler },
    ).start();
    for (let i = 0; i < 10; i += 1) {
      // Both are measured by then.
      if (i === 3) slow = 60_000;
      const fetched = [lab.fetch(`/${i}`, { joinable: false })];
      if (i === 0) fetched.push(lab.fetch('/first', { joinable: false }));
      for (const { body, failure } of await Promise.all(fetched)) {
        expect(failure).toBeUndefined();
        expect(body.equals(file)).toBe(true);
      }
    }
    expect(lab.bytesOver('b')).toBeGreaterThan(3 * file.length);
  },
  60_000,
);
