import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import type { LogEvent } from '../../../session-log';
import {
  createFakeTransport,
  createMemoryLogSink,
  type FakeTransport,
  type MemoryLogSink,
} from '../../../ports/testing';
import { startAgent, type Agent, type AgentOptions } from '..';

export interface AgentResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Page {
  socket: WebSocket;
  received: Record<string, unknown>[];
  /** Resolves when the page has received this many messages. */
  has(count: number): Promise<void>;
  /** Close code. */
  closed: Promise<number>;
}

/** A real agent over fake transports and logs. Its page folder contains files that it must not serve. */
export class AgentHarness {
  readonly transports: FakeTransport[] = [];
  readonly logs: MemoryLogSink[] = [];
  /** Events that `onEvent` received. */
  readonly seen: LogEvent[] = [];
  readonly #dir = mkdtempSync(path.join(os.tmpdir(), 'mpd-agent-'));
  readonly #open: WebSocket[] = [];
  #agent: Agent | undefined;

  /** Files that the agent serves. */
  get pageDir(): string {
    return path.join(this.#dir, 'page');
  }

  get agent(): Agent {
    if (!this.#agent) throw new Error('call start() first');
    return this.#agent;
  }

  async start(over: Partial<AgentOptions> = {}): Promise<void> {
    const page = this.pageDir;
    mkdirSync(path.join(page, 'sub'), { recursive: true });
    writeFileSync(path.join(page, 'index.html'), '<!doctype html>page');
    writeFileSync(path.join(page, 'page.js'), 'void 0');
    writeFileSync(path.join(page, '.hidden'), 'hidden');
    writeFileSync(path.join(this.#dir, 'secret'), 'secret');
    symlinkSync(path.join(this.#dir, 'secret'), path.join(page, 'link'));
    this.#agent = await startAgent({
      pageDir: page,
      createTransport: () => {
        const transport = createFakeTransport();
        transport.setNowMs(1234);
        this.transports.push(transport);
        return transport;
      },
      openLog: () => {
        const log = createMemoryLogSink();
        this.logs.push(log);
        return log;
      },
      onEvent: (event) => this.seen.push(event),
      ...over,
    });
  }

  /** Sends a request with its path unchanged: fetch would normalize it. */
  request(requestPath: string, options: http.RequestOptions = {}): Promise<AgentResponse> {
    const { port } = new URL(this.agent.origin);
    return new Promise((resolve, reject) => {
      http
        .request({ host: '127.0.0.1', port, path: requestPath, ...options }, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => (body += text));
          response.on('end', () => {
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
          });
        })
        .on('error', reject)
        .end();
    });
  }

  connect(token = this.agent.issueToken()): Page {
    const { feedUrl, origin } = this.agent;
    const socket = new WebSocket(`${feedUrl}?token=${token}`, { origin });
    this.#open.push(socket);
    const received: Record<string, unknown>[] = [];
    const waiting: (() => void)[] = [];
    socket.on('message', (data: Buffer) => {
      received.push(JSON.parse(data.toString('utf8')) as Record<string, unknown>);
      waiting.forEach((check) => check());
    });
    socket.on('error', () => undefined);
    return {
      socket,
      received,
      has: (count) =>
        new Promise((resolve) => {
          const check = (): void => {
            if (received.length >= count) resolve();
          };
          waiting.push(check);
          check();
        }),
      closed: new Promise((resolve) => socket.on('close', resolve)),
    };
  }

  /** Returns the HTTP status of an attempt to open a WebSocket. 101 is success. */
  upgradeStatus(url: string, headers: Record<string, string>): Promise<number> {
    const socket = new WebSocket(url, { headers });
    this.#open.push(socket);
    return new Promise((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.on('open', () => resolve(101));
      socket.on('error', () => undefined);
    });
  }

  /** Cookies sent with a WebSocket. */
  upgradeCookies(url: string, headers: Record<string, string>): Promise<string[]> {
    const socket = new WebSocket(url, { headers });
    this.#open.push(socket);
    return new Promise((resolve, reject) => {
      socket.on('upgrade', (response) => resolve(response.headers['set-cookie'] ?? []));
      socket.on('error', reject);
    });
  }

  /** Like {@link upgradeStatus} with any text as the request's target. */
  upgradeTarget(target: string, headers: Record<string, string>): Promise<number> {
    const { hostname, port } = new URL(this.agent.origin);
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' };
    return new Promise((resolve, reject) => {
      http
        .get({ hostname, port, path: target, headers: { ...upgrade, ...headers } }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .on('error', reject);
    });
  }

  async dispose(): Promise<void> {
    for (const socket of this.#open) socket.terminate();
    await this.#agent?.close();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
