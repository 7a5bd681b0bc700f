import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogEvent } from '../../session-log';
import { LogError } from '../log';
import { AgentHarness } from './testing/agent-harness';
import { configEvent } from '../../session-log/testing/events';

let harness: AgentHarness;
beforeEach(() => {
  harness = new AgentHarness();
});
afterEach(() => harness.dispose());

const config = configEvent();
const types = (events: readonly LogEvent[]): string[] => events.map((event) => event.type);

describe('a session', () => {
  it('sends state and clock, feeds the page, and logs both sides, the configuration first', async () => {
    await harness.start();
    const page = harness.connect();
    await page.has(2);
    expect(page.received[0]).toMatchObject({ type: 'status', status: { state: 'idle' } });
    expect(page.received[1]).toEqual({ type: 'welcome', protocolVersion: 1, monotonicMs: 1234 });
    const [transport] = harness.transports;
    const batch = { monotonicMs: 2000, connections: [], lostSamples: 0 };
    transport?.emit({ type: 'samples', batch });
    await page.has(3);
    page.socket.send(JSON.stringify({ type: 'watch', origins: ['http://10.0.0.1:80'] }));
    const stall: LogEvent = { type: 'stall', monotonicMs: 3, phase: 'start' };
    const end: LogEvent = { type: 'end', monotonicMs: 4, reason: 'ended' };
    page.socket.send(JSON.stringify({ type: 'log', events: [config, stall, end] }));
    await expect.poll(() => types(harness.logs[0]?.events ?? [])).toContain('end');
    expect(types(harness.logs[0]?.events ?? [])).toEqual([
      'config',
      'status',
      'samples',
      'stall',
      'end',
    ]);
    expect(types(harness.seen)).toEqual(['status', 'samples', 'config', 'stall', 'end']);
    expect(transport?.watched).toEqual(['http://10.0.0.1:80']);
    page.socket.close();
    await expect.poll(() => harness.logs[0]?.closed).toBe(true);
    expect(harness.logs[0]?.events.at(-1)).toEqual(end);
    expect(transport?.closed).toBe(true);
  });

  it('a killed page leaves a complete log', async () => {
    await harness.start();
    const page = harness.connect();
    await page.has(2);
    page.socket.send(JSON.stringify({ type: 'log', events: [config] }));
    await expect.poll(() => types(harness.logs[0]?.events ?? [])).toContain('config');
    page.socket.terminate();
    await expect.poll(() => harness.logs[0]?.closed).toBe(true);
    expect(harness.logs[0]?.events.at(-1)).toMatchObject({ type: 'end', reason: 'interrupted' });
  });

  it('a page without a configuration still leaves a readable log', async () => {
    await harness.start();
    const page = harness.connect();
    await page.has(2);
    await harness.agent.close('time-up');
    expect(types(harness.logs[0]?.events ?? [])).toEqual(['config', 'status', 'end']);
    expect(harness.logs[0]?.events.at(-1)).toMatchObject({ reason: 'time-up' });
    expect(await page.closed).toBe(1000);
  });

  it('reports an invalid message, plays on, and ends after too many', async () => {
    await harness.start({ maxStrikes: 4 });
    const page = harness.connect();
    await page.has(2);
    page.socket.send('not json');
    page.socket.send(JSON.stringify({ type: 'watch', origins: ['file:///etc'] }));
    page.socket.send(Buffer.from([1, 2, 3]));
    await page.has(5);
    expect(page.received[2]).toMatchObject({ type: 'status', status: { state: 'idle' } });
    expect(JSON.stringify(page.received[2])).toMatch(/refused: not JSON/);
    expect(JSON.stringify(page.received[3])).toMatch(/refused: origins\.0: must be scheme/);
    harness.transports[0]?.emit({ type: 'path', event: { monotonicMs: 5, kind: 'route-changed' } });
    await page.has(6);
    page.socket.send(JSON.stringify({ type: 'log', events: [{ type: 'made-up' }] }));
    await page.has(7);
    expect(page.received[6]).toMatchObject({ type: 'closed' });
    expect(await page.closed).toBe(1000);
    await expect.poll(() => harness.logs[0]?.closed).toBe(true);
    const codes = harness.logs[0]?.events.flatMap((event) =>
      event.type === 'error' ? [event.code] : [],
    );
    expect(codes).toEqual([...Array<string>(4).fill('FEED_MESSAGE_INVALID'), 'FEED_STRIKES']);
  });

  it('disconnects a page that sends an oversized message', async () => {
    await harness.start();
    const page = harness.connect();
    await page.has(2);
    page.socket.send('x'.repeat(5 * 1024 * 1024));
    expect(await page.closed).toBe(1009);
    await expect.poll(() => harness.logs[0]?.closed).toBe(true);
    expect(harness.logs[0]?.events).toContainEqual(
      expect.objectContaining({ type: 'error', code: 'FEED_MESSAGE_INVALID' }),
    );
  });

  it('queues no unbounded answers for a page that requests and never reads', async () => {
    await harness.start();
    const page = harness.connect();
    await page.has(2);
    const pings = 200_000;
    const question = Buffer.alloc(125);
    let answers = 0;
    page.socket.on('pong', () => (answers += 1));
    page.socket.pause();
    for (let sent = 0; sent < pings; sent += 1) {
      page.socket.ping(question);
      if (sent % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => page.socket.bufferedAmount).toBe(0);
    page.socket.resume();
    const marker = JSON.stringify({ type: 'watch', origins: ['not an origin'] });
    page.socket.send(marker);
    await page.has(3);
    expect(answers).toBeGreaterThan(0);
    // The kernel's buffers hold a few megabytes of answers, the agent holds none.
    expect(answers * question.length).toBeLessThan((pings * question.length) / 2);
    expect(harness.agent.sessions).toBe(1);
  });

  it('plays without a log if none can be opened, and reports it', async () => {
    await harness.start({
      openLog: () => {
        throw new LogError('LOG_NOT_WRITABLE', '/x', '/x cannot be written');
      },
    });
    const page = harness.connect();
    await page.has(2);
    expect(harness.seen).toContainEqual(
      expect.objectContaining({ type: 'error', message: '/x cannot be written' }),
    );
  });

  it('each page has its own log', async () => {
    await harness.start();
    const first = harness.connect();
    await first.has(2);
    const second = harness.connect();
    await second.has(2);
    second.socket.send(JSON.stringify({ type: 'log', events: [config] }));
    await expect.poll(() => types(harness.logs[1]?.events ?? [])).toContain('config');
    expect(harness.logs[0]?.events).toEqual([]);
  });

  it('close removes every listener and may be called twice', async () => {
    await harness.start();
    const page = harness.connect();
    await page.has(2);
    await Promise.all([harness.agent.close(), harness.agent.close()]);
    await expect(harness.request('/')).rejects.toThrow(/ECONNREFUSED/);
    expect(harness.transports[0]?.closed).toBe(true);
  });
});
