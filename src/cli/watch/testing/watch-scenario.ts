/**
 * Downloads over two real paths and prints the output of `watch` for it: one frame as JSON, one as text. Runs
 * inside a private network (see ../watch.privileged.test.ts).
 */
import net from 'node:net';
import { loadNative } from '../../../kernel';
import {
  addSecondEndpoint,
  layTwoPaths,
  SERVER_ADDRESS,
  SERVER_PORT,
  startServer,
} from '../../../kernel/testing/two-paths';
import { runWatch, type WatchOptions } from '../command';

/** The output of `runWatch`. */
async function captured(options: WatchOptions): Promise<{ text: string; status: number }> {
  let text = '';
  const stdout = {
    isTTY: false,
    write: (chunk: string) => {
      text += chunk;
      return true;
    },
    on: () => stdout,
    off: () => stdout,
  } as unknown as NodeJS.WriteStream;
  const status = await runWatch(options, { stdout });
  return { text, status };
}

async function main(): Promise<void> {
  layTwoPaths();
  addSecondEndpoint();
  const server = await startServer({ mptcp: true });
  const fd = await loadNative().connectMptcp({ address: SERVER_ADDRESS, port: SERVER_PORT });
  const client = new net.Socket({ fd });
  let received = 0;
  await new Promise<void>((resolve) => {
    client.on('data', (data) => {
      received += data.length;
      if (received > 2_000_000) resolve();
    });
  });
  const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  print({ json: await captured({ once: true, json: true, periodMs: 500 }), pid: process.pid });
  print({ text: await captured({ once: true, periodMs: 500 }) });
  print({ other: await captured({ once: true, json: true, periodMs: 100, netns: 'server' }) });
  const refused = await captured({ once: true, netns: 'nowhere' }).catch((error: unknown) => ({
    text: String(error),
    status: 1,
  }));
  print({ absent: refused });
  client.destroy();
  server.kill();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
