import { describe, expect, it } from 'vitest';
import { MINIMAL, parse } from './testing/parse';

describe('events of a scenario', () => {
  it('expands flaps, and reverts changes', () => {
    const { events } = parse(`${MINIMAL}
duration: 20s
events:
  - { at: 5s, path: wifi, state: down, every: 6s, for: 2s, until: 15s }
  - { at: 7s, path: wifi, down: { rate: 2mbit }, for: 1s }
`);
    const [down, up] = ['down', 'up'].map((state) => ({ kind: 'link-state', link: 'wifi', state }));
    expect(events).toEqual([
      { atMs: 5000, ...down },
      { atMs: 7000, ...up },
      { atMs: 7000, kind: 'link-change', link: 'wifi', ba: { rateBps: 2e6 } },
      { atMs: 8000, kind: 'link-change', link: 'wifi', ba: { rateBps: 5e6 } },
      { atMs: 11_000, ...down },
      { atMs: 13_000, ...up },
    ]);
  });

  it('goes back to the values that the other events have set', () => {
    const changes = (link: string, events: string): unknown[] =>
      parse(`topology: { kind: multihomed, paths: { wifi: { ${link} } } }\nevents: [${events}]\n`)
        .events.filter(({ kind }) => kind === 'link-change')
        .map((event) => [event.atMs / 1000, (event as { ab?: unknown }).ab]);
    const at = (time: string, change: string): string => `{ at: ${time}, path: wifi, ${change} }`;
    expect(
      changes(
        'rate: 8mbit',
        [
          at('10s', 'rate: 2mbit'),
          at('20s', 'rate: 500kbit, for: 5s'),
          // The second one ends last.
          at('30s', 'rate: 1mbit, for: 4s'),
          at('32s', 'rate: 3mbit, for: 4s'),
        ].join(', '),
      ),
    ).toEqual(
      [
        [10, 2e6],
        [20, 5e5],
        [25, 2e6],
        [30, 1e6],
        [32, 3e6],
        [34, 3e6],
        [36, 2e6],
      ].map(([seconds, rateBps]) => [seconds, { rateBps }]),
    );
    const burstLoss = { goodToBad: 0.01, badToGood: 0.3 };
    expect(
      changes('burstLoss: { goodToBad: 1%, badToGood: 30% }', at('1s', 'loss: 5%, for: 3s')),
    ).toEqual([
      [1, { lossRatio: 0.05 }],
      [4, { burstLoss }],
    ]);
    expect(
      changes(
        'rate: 8mbit, delay: 10ms',
        at('1s', 'trace: { file: delays.json, latency: true }, for: 3s'),
      ),
    ).toEqual([
      [1, { trace: expect.anything() as unknown }],
      [4, { rateBps: 8e6, delayMs: 10 }],
    ]);
  });

  it('goes back to where a trace would be by then', () => {
    const { events } = parse(`topology: { kind: multihomed, paths: { wifi: { trace: good.txt } } }
events:
  - { at: 1s, path: wifi, rate: 500kbit, for: 500ms }
  - { at: 3s, path: wifi, down: { trace: good.txt } }
  - { at: 4s, path: wifi, rate: 500kbit, for: 2s }
`);
    const rates = (side: 'ab' | 'ba', atMs: number): unknown =>
      events
        .filter((event) => event.atMs === atMs)
        .flatMap((event) => (event.kind === 'link-change' ? (event[side]?.trace?.steps ?? []) : []))
        .map(({ durationMs, rateBps }) => [durationMs, rateBps / 1e6]);
    const second = [500, 3];
    expect(rates('ba', 1500)).toEqual([second, [1000, 2], [1000, 2], [1000, 1], second]);
    // The file has four seconds: one direction is in its third, the other in the fourth of a new beginning.
    expect(rates('ab', 6000)).toEqual([
      [1000, 2],
      [1000, 2],
      [1000, 1],
      [1000, 3],
    ]);
    expect(rates('ba', 6000)).toEqual([
      [1000, 2],
      [1000, 1],
      [1000, 3],
      [1000, 2],
    ]);
  });

  it('goes back to the state and the middlebox that the other events have set', () => {
    const { events } = parse(`${MINIMAL}
events:
  - { at: 1s, path: wifi, state: down }
  - { at: 2s, path: wifi, state: blackhole, for: 1s }
  - { at: 4s, path: lte, middlebox: { stripMpJoin: true } }
  - { at: 5s, path: lte, middlebox: none, for: 1s }
`);
    expect(events.filter(({ atMs }) => atMs === 3000 || atMs === 6000)).toEqual([
      { atMs: 3000, kind: 'link-state', link: 'wifi', state: 'down' },
      { atMs: 6000, kind: 'link-middlebox', link: 'lte', middlebox: { stripMpJoin: true } },
    ]);
  });

  it('sets nothing again that a later event has set: a trace would begin anew', () => {
    const { events } = parse(`${MINIMAL}
events:
  - { at: 1s, path: wifi, delay: 50ms, for: 5s }
  - { at: 1s, path: wifi, rate: 1mbit, for: 6s }
  - { at: 3s, path: wifi, trace: good.txt }
  - { at: 4s, path: lte, middlebox: none, for: 4s }
  - { at: 5s, path: lte, middlebox: { stripMpJoin: true } }
`);
    const later = events.filter(({ atMs }) => atMs > 5000);
    expect(later).toEqual([
      { atMs: 6000, kind: 'link-change', link: 'wifi', ab: { delayMs: 10 }, ba: { delayMs: 10 } },
    ]);
  });

  it('reads faults of middleboxes, addresses, the server and the player, and reverts them', () => {
    const { events } = parse(`${MINIMAL}
events:
  - { at: 1s, path: lte, middlebox: { stripMpJoin: true }, for: 1s }
  - { at: 3s, path: wifi, address: new }
  - { at: 4s, server: down, for: 6s }
  - { at: 11s, answer: { status: 404 }, match: 'chunk-1-0000[34]', times: 2, for: 1s }
  - { at: 13s, answer: slow-head }
  - { at: 14s, suspend: 5s }
  - { at: 20s, clock: 1h, for: 2s }
  - { at: 25s, kill: renderer }
`);
    expect(events).toEqual([
      { atMs: 1000, kind: 'link-middlebox', link: 'lte', middlebox: { stripMpJoin: true } },
      { atMs: 2000, kind: 'link-middlebox', link: 'lte', middlebox: null },
      { atMs: 3000, kind: 'address-change', link: 'wifi' },
      { atMs: 4000, kind: 'server-state', state: 'down' },
      { atMs: 10_000, kind: 'server-state', state: 'up' },
      {
        ...{
          atMs: 11_000,
          kind: 'server-answer',
          id: 'events.3',
          match: 'chunk-1-0000[34]',
          times: 2,
        },
        fault: { kind: 'status', status: 404 },
      },
      { atMs: 12_000, kind: 'server-mended', id: 'events.3' },
      { atMs: 13_000, kind: 'server-answer', id: 'events.4', fault: { kind: 'slow-head' } },
      { atMs: 14_000, kind: 'suspend', part: 'player', durationMs: 5000 },
      { atMs: 20_000, kind: 'clock', aheadMs: 3_600_000 },
      { atMs: 22_000, kind: 'clock', aheadMs: 0 },
      { atMs: 25_000, kind: 'kill', part: 'renderer' },
    ]);
  });
});
