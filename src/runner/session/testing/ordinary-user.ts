// Runs as an ordinary user inside a sandbox: fetches a file repeatedly through the gateway. Prints one line of
// JSON, then serves until its input ends.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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
const target = gatewayTarget(await gatewayUrl, { url, joinable: true });
const hashes: string[] = [];
for (let number = 0; number < Number(count); number += 1) {
  const response = await fetch(target, { headers: { origin: PAGE } });
  const body = Buffer.from(await response.arrayBuffer());
  hashes.push(createHash('sha256').update(body).digest('hex'));
}
const status = readFileSync('/proc/self/status', 'utf8');
const capabilities = /^CapEff:\s*(\w+)$/m.exec(status)?.[1];
console.log(JSON.stringify({ uid: process.getuid?.(), capabilities, hashes, target }));
process.stdin.resume().once('end', () => process.exit(0));
