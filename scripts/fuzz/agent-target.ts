import fc from 'fast-check';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createFakeTransport } from '../../src/ports/testing';
import { openLog, readLog, startAgent, type Agent } from '../../src/transport';
import { mutated, mutatedMessages, readCorpus } from './mutate';
import type { FuzzResult, FuzzTarget } from './target';

/** Messages of one page. Each page leaves a log, which is read afterwards. */
const MESSAGES_A_PAGE = 2000;
/** An agent that does not answer for this long hangs. */
const ANSWER_MS = 30_000;
/** Number of pages after which one writes broken frames instead of messages. */
const FRAMES_EVERY = 10;
const FRAMES = 50;

function within<T>(what: string, promise: Promise<T>): Promise<T> {
  const late = sleep(ANSWER_MS, undefined, { ref: false }).then((): never => {
    throw new Error(`${what} within ${ANSWER_MS / 1000} s`);
  });
  return Promise.race([promise, late]);
}

/** A masked text frame (RFC 6455, section 5.2) with the key 0. */
function frameOf(text: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.of(0x81, 0xfe), length, Buffer.alloc(4), text]);
}

/** Pages of a real agent over real sockets. */
class Rig {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-fuzz-'));
  #agent: Agent | undefined;
  #logFile = '';

  get agent(): Agent {
    if (this.#agent === undefined) throw new Error('not started');
    return this.#agent;
  }

  async start(): Promise<void> {
    this.#agent = await startAgent({
      pageDir: this.#folder,
      createTransport: () => createFakeTransport(),
      openLog: (page) => {
        this.#logFile = path.join(this.#folder, `session-${page}.jsonl`);
        return openLog(this.#logFile, 'plain');
      },
      maxStrikes: Number.POSITIVE_INFINITY,
      maxNewLogs: Number.POSITIVE_INFINITY,
    });
  }

  /** Sends messages as a page, waits until all are processed, leaves, and reads the log. */
  async sendMessages(messages: readonly (string | Buffer)[]): Promise<void> {
    const { agent } = this;
    const socket = new WebSocket(`${agent.feedUrl}?token=${agent.issueToken()}`, {
      origin: agent.origin,
    });
    await within('no page was admitted', once(socket, 'open'));
    for (const message of messages) socket.send(message);
    socket.ping();
    await within('the agent did not answer', once(socket, 'pong'));
    socket.close();
    await within('the page was not closed', once(socket, 'close'));
    const logFile = this.#logFile;
    await within('a session did not end', this.#ended());
    const log = readLog(logFile);
    if (log.errors.length > 0) throw new Error(`broken log: ${log.errors[0]?.message ?? ''}`);
    if (log.events.at(-1)?.type !== 'end') throw new Error('a log without an end');
    rmSync(logFile);
  }

  /** Writes bytes in place of frames. Waits until the agent has ended the connection, or ends it. */
  async sendFrames(bytes: Buffer): Promise<void> {
    const { origin } = this.agent;
    const { port, host } = new URL(origin);
    const socket = net.connect({ host: '127.0.0.1', port: Number(port) });
    socket.on('error', () => undefined);
    await within('no connection', once(socket, 'connect'));
    const request = [
      `GET /feed?token=${this.agent.issueToken()} HTTP/1.1`,
      ...[`Host: ${host}`, `Origin: ${origin}`, 'Upgrade: websocket', 'Connection: Upgrade'],
      ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
    ];
    socket.write(`${request.join('\r\n')}\r\n\r\n`);
    await within('no page was admitted', once(socket, 'data'));
    socket.resume();
    const closed = once(socket, 'close');
    socket.end(bytes);
    await within('a broken connection stayed', closed);
    await within('a session did not end', this.#ended());
  }

  async #ended(): Promise<void> {
    while (this.agent.sessions > 0) await sleep(1);
  }

  async close(): Promise<void> {
    await this.#agent?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Checks the agent's WebSocket: the page continues, its log is complete, and the next page is served. */
export const agentTarget: FuzzTarget = {
  name: 'agent-socket',
  async run(forMs, seed): Promise<FuzzResult> {
    const texts = readCorpus('ipc');
    const values = texts.map((text) => JSON.parse(text.toString('utf8')) as unknown);
    const message = fc.oneof(
      {
        weight: 3,
        arbitrary: mutatedMessages(values).map((value) => JSON.stringify([value]).slice(1, -1)),
      },
      { weight: 1, arbitrary: mutated(texts).map((bytes) => bytes.toString('utf8')) },
      { weight: 1, arbitrary: mutated(texts) },
    );
    const frames = fc
      .array(mutated(texts.map(frameOf)), { maxLength: 3 })
      .map((some) => Buffer.concat(some));
    const rig = new Rig();
    await rig.start();
    let sent = 0;
    try {
      const endMs = performance.now() + forMs;
      for (let page = 0; performance.now() < endMs; page += 1) {
        const pageSeed = seed + page;
        if (page % FRAMES_EVERY === FRAMES_EVERY - 1) {
          for (const bytes of fc.sample(frames, { seed: pageSeed, numRuns: FRAMES })) {
            await rig.sendFrames(bytes);
            sent += 1;
          }
        } else {
          await rig.sendMessages(fc.sample(message, { seed: pageSeed, numRuns: MESSAGES_A_PAGE }));
          sent += MESSAGES_A_PAGE;
        }
      }
      return { messages: sent };
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { messages: sent, failure: `seed ${seed} after ${sent} messages\n${text}` };
    } finally {
      await rig.close();
    }
  },
};
