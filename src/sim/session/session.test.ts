import { describe, expect, it } from 'vitest';
import { replayLog } from '../../journal';
import { createSummary, type SessionSummary } from '../../qoe';
import type { LogEvent } from '../../session-log';
import { expandTopology, type Scenario, type TimelineEvent } from '../../scenario';
import { Bola } from '../controllers/bola';
import { BufferBased } from '../controllers/buffer-based';
import { Dash2016 } from '../controllers/dash-2016';
import { RateBased } from '../controllers/rate-based';
import { robustMpc } from '../../abr';
import { statelessController, type Controller } from '../controllers/controller';
import { Cubic } from '../congestion/cubic';
import { Mainline } from '../schedulers/mainline';
import type { SimSessionOptions, SimPlayer } from './session-options';
import { simulateSession } from './simulate-session';

const rates = [300, 600, 1000, 1800, 3000, 4500, 6000].map((kbps) => kbps * 1000);
const SEGMENTS = 60;
const media = {
  segmentMs: 2000,
  video: rates.map((bitrateBps) => ({
    bitrateBps,
    bytes: Array.from({ length: SEGMENTS }, () => bitrateBps / 4),
  })),
  audio: [{ bitrateBps: 128_000, bytes: Array.from({ length: SEGMENTS }, () => 32_000) }],
};
const queue = { discipline: 'droptail' as const };

function scenario(
  paths: { id: string; rateBps: number; delayMs: number; lossRatio?: number }[],
  events: TimelineEvent[] = [],
): Scenario {
  return {
    name: 'test',
    title: '',
    source: '',
    description: '',
    topology: expandTopology({
      kind: 'multihomed',
      paths: paths.map(({ id, ...direction }) => {
        const down = { ...direction, queue, queueBytes: 60_000 };
        return { id, down, up: down };
      }),
    }),
    server: { http: 'http1', tls: false, mptcp: true },
    media: { kind: 'demo' },
    traffic: [],
    players: [],
    events,
    durationMs: 40_000,
    trials: 1,
    seed: 1,
    queueSampleMs: 100,
    backend: 'emulator',
  };
}

const unequal = [
  { id: 'wifi', rateBps: 5e6, delayMs: 10 },
  { id: 'lte', rateBps: 600e3, delayMs: 150, lossRatio: 0.01 },
];

function run(
  what: Scenario,
  player: SimPlayer,
  options: Partial<SimSessionOptions> = {},
): { events: LogEvent[]; summary: SessionSummary } {
  const events = simulateSession({
    scenario: what,
    media,
    player,
    seed: 1,
    createScheduler: () => new Mainline(),
    createCongestion: () => new Cubic(),
    ...options,
  });
  const summary = createSummary();
  for (const event of events) summary.add(event);
  return { events, summary: summary.finish() };
}

const ours: SimPlayer = { kind: 'brain', config: { policy: 'model', abr: 'multipath' } };
const rate: SimPlayer = { kind: 'controller', create: () => new RateBased() };

describe('simulateSession', () => {
  it('plays for the configured time, with a consistent log', () => {
    const { events, summary } = run(scenario([{ id: 'wifi', rateBps: 5e6, delayMs: 10 }]), rate);
    expect(events[0]?.type).toBe('config');
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'time-up' });
    expect(summary.playedMs).toBeGreaterThan(39_500);
    expect(summary.stalls.count).toBe(0);
    expect(summary.averageBitrateBps).toBeGreaterThan(2e6);
    expect(summary.averageBitrateBps).toBeLessThan(5e6);
    expect(events.every((event, i) => event.monotonicMs >= (events[i - 1]?.monotonicMs ?? 0))).toBe(
      true,
    );
  });

  it('is the same for the same seed, and different for another', () => {
    const short = { ...scenario(unequal), durationMs: 10_000 };
    const log = (seed: number): string => JSON.stringify(run(short, ours, { seed }).events);
    const first = log(1);
    expect(log(1) === first).toBe(true);
    expect(log(2) === first).toBe(false);
  });

  it('begins after the time that a page takes to load, while the network goes on', () => {
    const paths = [{ id: 'wifi', rateBps: 5e6, delayMs: 10 }];
    const down = { kind: 'link-state' as const, link: 'wifi', state: 'down' as const, atMs: 0 };
    const up = { ...down, state: 'up' as const, atMs: 800 };
    const what = { ...scenario(paths, [down, up]), durationMs: 5000 };
    const firstByteMs = (pageLoadMs: number): number => {
      const { events } = run(what, rate, { pageLoadMs });
      expect(events[0]?.monotonicMs).toBe(pageLoadMs);
      return events.find((event) => event.type === 'request')?.firstByteMs ?? Infinity;
    };
    // A SYN that is lost comes again a second later.
    expect(firstByteMs(0)).toBeGreaterThan(1000);
    expect(firstByteMs(810)).toBeLessThan(1000);
  });

  it.each(['mptcp', 'ranges'] as const)(
    'begins over %s on the other path where one has no carrier by then',
    (kind) => {
      const down = { kind: 'link-state' as const, link: 'wifi', state: 'down' as const, atMs: 0 };
      const other = { id: 'lte', rateBps: 5e6, delayMs: 40 };
      const what = scenario([{ ...other, id: 'wifi' }, other], [down]);
      const { summary } = run(what, ours, { pageLoadMs: 500, carriage: { kind } });
      expect(summary.startupDelayMs).toBeLessThan(1000);
      expect(summary.stalls.count).toBe(0);
    },
  );

  it('records, on request, the inputs of its decisions', () => {
    const short = { ...scenario(unequal), durationMs: 10_000 };
    const { events } = run(short, ours, { journal: true });
    const read = JSON.parse(JSON.stringify(events)) as LogEvent[];
    const result = replayLog(read);
    expect(result.difference).toBeUndefined();
    expect(result.decisions).toBeGreaterThan(100);
    const decided = read.filter((event) => event.type !== 'brain');
    expect(JSON.stringify(decided)).toBe(JSON.stringify(run(short, ours).events));
  });

  it('plays on with a brain without inputs, or with malformed ones', () => {
    const what = { ...scenario([{ id: 'wifi', rateBps: 5e6, delayMs: 10 }]), durationMs: 5000 };
    const deaf = run(what, ours, { filterInput: () => [] });
    expect(deaf.summary.averageBitrateBps).toBe(rates[0]);
    const lied = run(what, ours, {
      filterInput: (input) => (input.type === 'samples' ? [] : [input]),
    });
    expect(lied.summary.playedMs).toBeGreaterThan(4500);
  });

  it('shows that plain MPTCP costs bitrate on unequal paths, and that the policy does not', () => {
    const plain = run(scenario(unequal), rate).summary;
    const single = run(scenario(unequal), rate, { paths: ['wifi'] }).summary;
    const decided = run(scenario(unequal), ours).summary;
    expect(plain.averageBitrateBps).toBeLessThan(0.9 * single.averageBitrateBps);
    expect(decided.averageBitrateBps).toBeGreaterThan(plain.averageBitrateBps);
    expect(decided.averageBitrateBps).toBeGreaterThan(0.9 * single.averageBitrateBps);
    expect(decided.stalls.count).toBe(0);
  });

  it('plays on without a stall when a path fails, and uses it again when it returns', () => {
    const down = { kind: 'link-state' as const, link: 'wifi' };
    const what = scenario(
      [
        { id: 'wifi', rateBps: 5e6, delayMs: 10 },
        { id: 'lte', rateBps: 2e6, delayMs: 40 },
      ],
      [
        { ...down, atMs: 15_000, state: 'down' },
        { ...down, atMs: 25_000, state: 'up' },
      ],
    );
    const { events, summary } = run(what, ours);
    expect(summary.stalls.count).toBe(0);
    const wifiBytes = (atMs: number): number => {
      const samples = events.filter((event) => event.type === 'samples');
      const at = samples.filter(({ monotonicMs }) => monotonicMs <= atMs).at(-1);
      return (at?.batch.connections ?? [])
        .flatMap(({ subflows }) => subflows)
        .filter(({ pathId }) => pathId === 'wifi')
        .reduce((sum, { bytesReceived }) => sum + bytesReceived, 0);
    };
    // Less than none where the player closed its connection and counts anew.
    expect(wifiBytes(24_900) - wifiBytes(15_200)).toBeLessThanOrEqual(0);
    expect(wifiBytes(30_000)).toBeGreaterThan(wifiBytes(24_900));
  });

  it("runs the scenario's traffic beside the player, which then gets less", () => {
    const alone = scenario([{ id: 'wifi', rateBps: 6e6, delayMs: 20 }]);
    const { nodes } = alone.topology;
    const node = (role: string): string => nodes.find((one) => one.role === role)?.id ?? '';
    const [from, to] = [node('server'), node('client')];
    const ftp = { id: 'ftp', kind: 'ftp', from, to, startMs: 0, intensity: 4 } as const;
    const busy = run({ ...alone, traffic: [ftp] }, rate).summary;
    expect(busy.averageBitrateBps).toBeLessThan(0.6 * run(alone, rate).summary.averageBitrateBps);
  });

  it.each([
    () => new RateBased(),
    () => new Bola(),
    () => new BufferBased(),
    () => new Dash2016(),
    () => statelessController('robust-mpc', robustMpc),
  ])('plays with reference rule %#', (create) => {
    const { summary } = run(scenario([{ id: 'wifi', rateBps: 4e6, delayMs: 20 }]), {
      kind: 'controller',
      create,
    });
    expect(summary.stalls.totalMs).toBeLessThan(2000);
    expect(summary.averageBitrateBps).toBeGreaterThan(1e6);
    expect(summary.averageBitrateBps).toBeLessThan(4e6);
  });

  it('lets a controller give up a segment: the same one comes on a lower rung', () => {
    const slower = { kind: 'link-change', link: 'wifi', ab: { rateBps: 400e3 } } as const;
    const slow = scenario(
      [{ id: 'wifi', rateBps: 4e6, delayMs: 20 }],
      [{ ...slower, ba: slower.ab, atMs: 15_000 }],
    );
    const requests = (create: () => Controller): (LogEvent & { type: 'request' })[] =>
      run(slow, { kind: 'controller', create }).events.filter(
        (event) =>
          event.type === 'request' && event.mediaType === 'video' && event.kind === 'media',
      ) as (LogEvent & { type: 'request' })[];
    const made = requests(() => new Dash2016());
    const first = made.findIndex(({ outcome }) => outcome === 'abandoned');
    expect(first).toBeGreaterThan(0);
    expect(made[first + 1]).toMatchObject({ segmentIndex: made[first]?.segmentIndex });
    expect(made[first + 1]?.rung).toBeLessThan(made[first]?.rung ?? 0);
    expect(requests(() => new RateBased()).some(({ outcome }) => outcome === 'abandoned')).toBe(
      false,
    );
  });
});
