import { describe, expect, it } from 'vitest';
import { FEED_PROTOCOL_VERSION, type FeedUp } from '../../ipc';
import type { TransportMessage } from '../../ports';
import { FeedClient } from './feed-client';
import { FeedError } from './feed-error';

function setUp() {
  let localMs = 100;
  const sent: FeedUp[] = [];
  const problems: string[] = [];
  const client = new FeedClient({
    name: 'the test',
    send: (message) => void sent.push(message),
    disconnect: () => undefined,
    localNowMs: () => localMs,
    onProblem: (problem) => void problems.push(problem),
  });
  const heard: TransportMessage[] = [];
  client.subscribe((message) => void heard.push(message));
  const welcome = (monotonicMs: number) =>
    client.receive({ type: 'welcome', protocolVersion: FEED_PROTOCOL_VERSION, monotonicMs });
  const samples = (monotonicMs: number) =>
    client.receive({ type: 'samples', batch: { monotonicMs, connections: [], lostSamples: 0 } });
  return {
    client,
    sent,
    problems,
    heard,
    welcome,
    samples,
    setLocal: (ms: number) => (localMs = ms),
  };
}

describe('FeedClient', () => {
  it('takes its clock from the feed and never sets it back', () => {
    const { client, welcome, samples, setLocal } = setUp();
    welcome(5100);
    expect(client.nowMs()).toBe(5100);
    setLocal(200);
    samples(5190); // 10 ms late: no new information.
    expect(client.nowMs()).toBe(5200);
    setLocal(300);
    samples(5304); // Faster than the greeting was.
    expect(client.nowMs()).toBe(5304);
    setLocal(400);
    samples(5390);
    expect(client.nowMs()).toBe(5404);
  });

  it('corrects a temporarily wrong feed clock within ten seconds', () => {
    const { client, welcome, samples, setLocal } = setUp();
    welcome(5000);
    for (let localMs = 100; localMs <= 20_000; localMs += 100) {
      setLocal(localMs);
      const isWrong = localMs > 3000 && localMs <= 4000;
      samples(5000 + localMs + (isWrong ? 3_600_000 : 0));
      if (localMs === 4100) expect(client.nowMs()).toBeGreaterThan(3_600_000);
    }
    expect(client.nowMs()).toBe(25_000);
  });

  it.each([4900, 5000, 5100, 6000])(
    'does not set its clock back by late messages, after a page stood still at %d ms',
    (frozenMs) => {
      const { client, welcome, samples, setLocal } = setUp();
      welcome(5000);
      for (let localMs = 100; localMs <= frozenMs; localMs += 100) {
        setLocal(localMs);
        samples(5000 + localMs);
      }
      for (let sentMs = frozenMs + 100; sentMs <= 60_000; sentMs += 100) {
        setLocal(60_000 + sentMs / 100);
        samples(5000 + sentMs);
        expect(client.nowMs()).toBeGreaterThanOrEqual(65_000);
      }
    },
  );

  it('drops, counts and reports a message that breaks the schema, and continues', () => {
    const { client, problems, heard, welcome, samples } = setUp();
    welcome(1);
    client.receive({ type: 'samples', batch: { monotonicMs: 'soon' } });
    client.receive({ type: 'status', status: { state: 'multipath', reason: 'x', extra: 1 } });
    client.receive(null);
    client.refuse('not JSON');
    samples(2);
    expect(client.refusedMessages).toBe(4);
    expect(problems[0]).toContain('batch.monotonicMs');
    expect(heard.map((message) => message.type)).toEqual(['status', 'samples']);
  });

  it('limits the reported problems', () => {
    const { client, problems } = setUp();
    for (let i = 0; i < 500; i += 1) client.receive({ junk: i });
    expect(client.refusedMessages).toBe(500);
    expect(problems.length).toBeLessThan(50);
  });

  it('sends the watch list after the greeting', () => {
    const { client, sent, welcome } = setUp();
    client.watch(['http://a.example']);
    expect(sent).toEqual([]);
    welcome(1);
    expect(sent).toEqual([{ type: 'watch', origins: ['http://a.example'] }]);
  });

  it('reports the end of the feed as status and as closed, and rejects ready', async () => {
    const { client, heard } = setUp();
    const ready = client.ready();
    client.ended('the agent was killed');
    client.ended('again');
    await expect(ready).rejects.toThrow(new FeedError('the agent was killed'));
    expect(heard.slice(1)).toEqual([
      { type: 'status', status: { state: 'no-feed', reason: 'the agent was killed' } },
      { type: 'closed', reason: 'the agent was killed' },
    ]);
  });
});
