import type { SampleBatch, TransportState } from '../../core';
import type { Transport, TransportMessage } from '../transport';

/** The part of a test runner that the suite needs; vitest's own `describe`, `it` and `expect` fit. */
export interface ContractTestApi {
  describe: (name: string, body: () => void) => void;
  it: (name: string, body: () => Promise<void>) => void;
  expect: (actual: unknown) => { toEqual(expected: unknown): void; toBe(expected: unknown): void };
}

/** The far end's messages, in phases; the test decides when each phase happens. */
export type TransportScript = readonly (readonly TransportMessage[])[];

/** One transport under test, with its far end controlled by the test. */
export interface TransportHarness {
  transport: Transport;
  /**
   * Plays the next phase of the script and waits until it reached the listeners (a grace period if that is
   * unknown).
   */
  next(): Promise<void>;
  /** Waits for messages in transit. */
  settle(): Promise<void>;
  /** The far end dies without notice; resolves once this end can have noticed. Absent without a far end. */
  cut?(): void | Promise<void>;
  /** The origins that reached the far end; absent if `watch` has no effect. */
  watched?(): readonly string[];
  dispose(): Promise<void>;
}

const batch = (monotonicMs: number): SampleBatch => ({
  monotonicMs,
  connections: [],
  lostSamples: 0,
});
const status = (state: TransportState, reason: string): TransportMessage => ({
  type: 'status',
  status: { state, reason },
});
const samples = (monotonicMs: number): TransportMessage => ({
  type: 'samples',
  batch: batch(monotonicMs),
});
const path = (monotonicMs: number): TransportMessage => ({
  type: 'path',
  event: { monotonicMs, kind: 'interface-down', pathId: 'wlan0', interfaceName: 'wlan0' },
});

const control = (state: 'active' | 'backup'): TransportMessage => ({
  type: 'path-control',
  report: {
    capability: { available: true, through: 'fake' },
    paths: [{ pathId: 'wlan0', state, origin: 'foreign', changed: false }],
    sequence: 7,
    refusals: [],
  },
});

/** All messages except status, which a transport may repeat. */
const withoutStatus = (messages: readonly TransportMessage[]): TransportMessage[] =>
  messages.filter((message) => message.type !== 'status');

/**
 * Asserts the contract of src/ports/transport.ts. `createHarness` makes a fresh, connected transport whose
 * far end plays `script`.
 */
export function transportContract(
  api: ContractTestApi,
  name: string,
  createHarness: (script: TransportScript) => TransportHarness | Promise<TransportHarness>,
): void {
  const { describe, it, expect } = api;

  const run = (
    title: string,
    script: TransportScript,
    body: (harness: TransportHarness) => Promise<void>,
  ): void => {
    it(title, async () => {
      const harness = await createHarness(script);
      try {
        await body(harness);
      } finally {
        await harness.dispose();
      }
    });
  };

  const listen = (transport: Transport): { heard: TransportMessage[]; stop: () => void } => {
    const heard: TransportMessage[] = [];
    return { heard, stop: transport.subscribe((message) => heard.push(message)) };
  };

  describe(`Transport contract: ${name}`, () => {
    const news = status('multipath', 'Two paths.');
    run('a new listener first hears the current status', [[news, samples(10)]], async (harness) => {
      const early = listen(harness.transport);
      expect(early.heard[0]?.type).toBe('status');
      await harness.next();
      const late = listen(harness.transport);
      expect(late.heard).toEqual([news]);
    });

    const report = control('active');
    const reported: TransportScript = [[report], [samples(10)]];
    run('a new listener hears the last report of path control', reported, async (harness) => {
      listen(harness.transport);
      await harness.next();
      const late = listen(harness.transport);
      expect(withoutStatus(late.heard)).toEqual([report]);
    });

    const mixed = [
      samples(10),
      path(11),
      status('single-subflow', 'One.'),
      control('backup'),
      samples(20),
      path(21),
    ];
    run('messages arrive whole and in order', [mixed], async (harness) => {
      const { heard } = listen(harness.transport);
      await harness.next();
      expect(withoutStatus(heard)).toEqual(withoutStatus(mixed));
      const kinds = heard.map((message) => message.type).join(' ');
      expect(kinds.endsWith('samples path status path-control samples path')).toBe(true);
    });

    const disorder = [10, 20, 20, 15, 30].map(samples);
    run('a batch whose time does not advance is kept out', [disorder], async (harness) => {
      const { heard } = listen(harness.transport);
      await harness.next();
      expect(withoutStatus(heard)).toEqual([samples(10), samples(20), samples(30)]);
    });

    const two: TransportScript = [[samples(10)], [samples(20)]];
    run('a listener that throws silences no other', two, async (harness) => {
      harness.transport.subscribe(() => {
        throw new Error('a broken listener');
      });
      const { heard } = listen(harness.transport);
      await harness.next();
      await harness.next();
      expect(withoutStatus(heard)).toEqual([samples(10), samples(20)]);
    });

    run('an unsubscribed listener hears nothing more', two, async (harness) => {
      const gone = listen(harness.transport);
      const { heard } = listen(harness.transport);
      await harness.next();
      gone.stop();
      gone.stop();
      await harness.next();
      expect(withoutStatus(gone.heard)).toEqual([samples(10)]);
      expect(withoutStatus(heard)).toEqual([samples(10), samples(20)]);
    });

    run('one function may listen twice', [[path(10)]], async (harness) => {
      const heard: TransportMessage[] = [];
      const listener = (message: TransportMessage): void => void heard.push(message);
      const stop = harness.transport.subscribe(listener);
      harness.transport.subscribe(listener);
      stop();
      await harness.next();
      expect(withoutStatus(heard)).toEqual([path(10)]);
    });

    const end: TransportScript = [[samples(10)], [samples(20), path(21)]];
    run('close is idempotent and closed is the last word', end, async (harness) => {
      const { heard } = listen(harness.transport);
      await harness.next();
      harness.transport.close();
      harness.transport.close();
      await harness.next();
      expect(withoutStatus(heard).map((message) => message.type)).toEqual(['samples', 'closed']);
      expect(heard.at(-1)?.type).toBe('closed');
    });

    run('who comes after the end hears that it is over', [], async (harness) => {
      harness.transport.close();
      await harness.settle();
      const { heard } = listen(harness.transport);
      expect(heard.map((message) => message.type)).toEqual(['status', 'closed']);
    });

    const gone: TransportMessage = { type: 'closed', reason: 'gone' };
    run(
      'a far end that closes is reported once',
      [[samples(10), gone], two[1] ?? []],
      async (harness) => {
        const { heard } = listen(harness.transport);
        await harness.next();
        await harness.next();
        harness.transport.close();
        expect(withoutStatus(heard).map((message) => message.type)).toEqual(['samples', 'closed']);
      },
    );

    run('a far end that crashes is reported once', [[samples(10)]], async (harness) => {
      if (!harness.cut) return;
      const { heard } = listen(harness.transport);
      await harness.next();
      await harness.cut();
      await harness.settle();
      expect(heard.at(-1)?.type).toBe('closed');
      harness.transport.close();
      expect(withoutStatus(heard).map((message) => message.type)).toEqual(['samples', 'closed']);
    });

    run('the feed has a clock that does not go back', [[samples(10)]], async (harness) => {
      const before = harness.transport.nowMs();
      await harness.next();
      expect(Number.isFinite(before) && harness.transport.nowMs() >= before).toBe(true);
    });

    run('watch replaces the origins', [], async (harness) => {
      harness.transport.watch(['https://old.example']);
      harness.transport.watch(['https://media.example', 'http://127.0.0.1:8080']);
      await harness.settle();
      const watched = harness.watched?.() ?? ['https://media.example', 'http://127.0.0.1:8080'];
      expect(watched).toEqual(['https://media.example', 'http://127.0.0.1:8080']);
    });
  });
}
