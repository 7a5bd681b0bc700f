// Runs as an ordinary user inside a sandbox: fetches a file repeatedly through the gateway. Prints one line of
// JSON, then serves until its input ends.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { gatewayTarget } from '../../../ipc';
import { loadNative, monotonicClock } from '../../../kernel';
import { createLinuxFeed, openCarriage } from '../../../transport';

const [url = '', count = '1'] = process.argv.slice(2);
const PAGE = 'http://127.0.0.1:1';
const carriage = await openCarriage({
  choice: 'auto',
  addon: loadNative(),
  clock: monotonicClock,
  playerSpeaksMptcp: false,
});
carriage.allowPage(PAGE);
const feed = carriage.feed(createLinuxFeed({ loadNative }));
const gatewayUrl = new Promise<string>((resolve) => {
  feed.subscribe((message) => {
    if (message.type === 'carriage' && message.gatewayUrl !== undefined) {
      resolve(message.gatewayUrl);
    }
  });
});
feed.watch([new URL(url).origin]);
const target = gatewayTarget(await gatewayUrl, { url, joinableInMs: 0 });
const hashes: string[] = [];
for (let number = 0; number < Number(count); number += 1) {
  // On a busy machine the promises of Node 20's own `fetch()` sometimes never settled here.
  const request = get(target, { headers: { origin: PAGE } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const hash = createHash('sha256');
  for await (const part of response) hash.update(part as Buffer);
  hashes.push(hash.digest('hex'));
}
const status = readFileSync('/proc/self/status', 'utf8');
const capabilities = /^CapEff:\s*(\w+)$/m.exec(status)?.[1];
console.log(JSON.stringify({ uid: process.getuid?.(), capabilities, hashes, target }));
process.stdin.resume().once('end', () => process.exit(0));
