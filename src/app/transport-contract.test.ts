import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { FEED_PROTOCOL_VERSION, type FeedUp } from '../ipc';
import { transportContract, type TransportHarness, type TransportScript } from '../ports/contract';
import type { TransportMessage } from '../ports';
import { createFakeTransport, createMemoryLogSink } from '../ports/testing';
import { startAgent } from '../transport';
import { createIpcTransport } from '../player/feed/ipc-transport';
import { createWebSocketTransport, type WebSocketLike } from '../player/feed/websocket-transport';

const PAGE_ORIGIN = 'http://page.test';

/** A ping's pong confirms the arrival of all earlier messages, in both directions. */
async function roundTrip(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  await new Promise<void>((resolve) => {
    socket.once('pong', () => resolve());
    socket.once('close', () => resolve());
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  });
}

/** Emits one phase of the script for each call. */
function phases(script: TransportScript, emit: (message: TransportMessage) => void): () => void {
  let phase = 0;
  return () => {
    for (const message of script[phase] ?? []) emit(message);
    phase += 1;
  };
}

async function webSocketHarness(script: TransportScript): Promise<TransportHarness> {
  const far = createFakeTransport();
  const pageDir = mkdtempSync(path.join(tmpdir(), 'feed-contract-'));
  const agent = await startAgent({
    pageDir,
    createTransport: () => far,
    openLog: () => createMemoryLogSink(),
    access: { origins: [PAGE_ORIGIN], consent: () => Promise.resolve('granted') },
  });
  const sockets: WebSocket[] = [];
  const transport = createWebSocketTransport({
    url: agent.feedUrl,
    token: agent.issueToken(),
    connect: (url): WebSocketLike => {
      const made = new WebSocket(url, { origin: PAGE_ORIGIN });
      sockets.push(made);
      return made;
    },
  });
  await transport.ready();
  const [socket] = sockets;
  if (!socket) throw new Error('no socket was made');
  await roundTrip(socket);
  const emitNext = phases(script, (message) => far.emit(message));
  return {
    transport,
    next: () => {
      emitNext();
      return roundTrip(socket);
    },
    settle: () => roundTrip(socket),
    cut: () => socket.terminate(),
    watched: () => far.watched,
    dispose: async () => {
      transport.close();
      await agent.close();
      rmSync(pageDir, { recursive: true });
    },
  };
}

function ipcHarness(script: TransportScript): TransportHarness {
  let deliver: (message: unknown) => void = () => undefined;
  const sent: FeedUp[] = [];
  const transport = createIpcTransport({
    send: (message) => void sent.push(message),
    onMessage: (callback) => {
      deliver = callback;
      return () => {
        deliver = () => undefined;
      };
    },
    close: () => undefined,
  });
  deliver({ type: 'welcome', protocolVersion: FEED_PROTOCOL_VERSION, monotonicMs: 1 });
  const emitNext = phases(script, (message) => deliver(structuredClone(message)));
  return {
    transport,
    next: () => {
      emitNext();
      return Promise.resolve();
    },
    settle: () => Promise.resolve(),
    watched: () => sent.flatMap((m) => (m.type === 'watch' ? [m.origins] : [])).at(-1) ?? [],
    dispose: () => Promise.resolve(),
  };
}

transportContract({ describe, it, expect }, 'WebSocket to the real agent', webSocketHarness);
transportContract({ describe, it, expect }, 'IPC bridge', ipcHarness);
