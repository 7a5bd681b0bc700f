/**
 * Streams in turn over two networks with budgets, on a real kernel. Prints what each stream received, one JSON object a
 * line. Runs inside a private network. ../carriage/budget.privileged.test.ts makes the assertions.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadNative, monotonicClock } from '../../kernel';
import { runScenario } from '../../kernel/testing/run-scenario';
import { layTwoPaths, SERVER_ADDRESS, SERVER_PORT, sh } from '../../kernel/testing/two-paths';
import type { TransportMessage } from '../../ports';
import { BudgetLedger, openCarriage } from '../carriage';
import { createLinuxFeed } from '../feed';

const ORIGIN = `http://${SERVER_ADDRESS}:${SERVER_PORT}`;
const BUDGET_BYTES = { c1: 3_000_000, c2: 1_000_000 };

/** Serves 1.5 MB in ranges with a strong validator. */
const serverProgram = `
  const body = Buffer.alloc(1_500_000);
  require('http').createServer((request, response) => {
    const [, first, last] = /bytes=(\\d+)-(\\d*)/.exec(request.headers.range ?? '') ?? [, '0', ''];
    const [from, to] = [Number(first), Math.min(body.length - 1, Number(last || body.length))];
    response.writeHead(206, { 'content-range': \`bytes \${from}-\${to}/\${body.length}\`, etag: '"1"' });
    response.end(body.subarray(from, to + 1));
  }).listen(${SERVER_PORT}, '0.0.0.0', () => console.log('listening'));`;

/** Plays one stream of two segments. @returns what came over each network, and why it carries no more */
async function playStream(ledger: BudgetLedger): Promise<Record<string, unknown>> {
  const carriage = await openCarriage({
    choice: 'ranges',
    addon: loadNative(),
    clock: monotonicClock,
    playerSpeaksMptcp: false,
    origin: ORIGIN,
    ledger,
    networks: Object.entries(BUDGET_BYTES).map(([network, budgetBytes]) => ({
      network,
      metered: true,
      budgetBytes,
    })),
  });
  carriage.allowPage('http://page.test');
  const feed = carriage.feed(createLinuxFeed({ onNote: () => undefined }));
  let latest: Extract<TransportMessage, { type: 'carriage' }> | undefined;
  feed.subscribe((message) => {
    if (message.type === 'carriage') latest = message;
  });
  feed.watch([ORIGIN]);
  while (latest?.gatewayUrl === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  const gatewayUrl = latest.gatewayUrl;
  for (const segment of ['a', 'b']) {
    const url = encodeURIComponent(`${ORIGIN}/${segment}`);
    // A request that no network may carry fails after 12 s.
    await fetch(`${gatewayUrl}?url=${url}&parts=1`)
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
  }
  await new Promise((resolve) => setTimeout(resolve, 1200));
  const networks = latest.report.networks.map(({ networkId, receivedBytes, outReason }) => [
    networkId,
    { receivedBytes, outReason },
  ]);
  feed.close();
  await carriage.close();
  return Object.fromEntries(networks) as Record<string, unknown>;
}

async function main(): Promise<void> {
  layTwoPaths();
  sh('ip', 'route', 'add', 'default', 'via', '10.0.1.1', 'dev', 'c1');
  sh('ip', 'route', 'add', 'default', 'via', '10.0.2.1', 'dev', 'c2', 'metric', '200');
  sh('ip', '-n', 'server', 'route', 'add', 'default', 'dev', 's1');
  const server = spawn('ip', ['netns', 'exec', 'server', process.execPath, '-e', serverProgram], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  const ledger = new BudgetLedger();
  for (const name of ['first', 'second']) {
    process.stdout.write(`${JSON.stringify({ name, value: await playStream(ledger) })}\n`);
  }
  server.kill();
}

runScenario(main);
