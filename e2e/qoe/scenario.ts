import type { PlayerSpec, Scenario } from '../../src/scenario';

const droptail = { discipline: 'droptail' } as const;
const direction = (rateBps: number, delayMs: number) => ({
  rateBps,
  delayMs,
  queue: droptail,
  queueBytes: 100_000,
});

/** Wi-Fi and LTE to one server, wide enough for any player to start at once. */
export function smallScenario(changes: Partial<Scenario> = {}): Scenario {
  return {
    name: 'small',
    title: 'Two good paths for a few seconds',
    source: 'the test suite',
    description: 'Shows that trials run, and nothing about players.',
    topology: {
      ipVersion: 'ipv4',
      nodes: [
        { id: 'client', role: 'client', congestionControl: 'cubic' },
        { id: 'server', role: 'server', congestionControl: 'cubic' },
      ],
      links: [
        {
          id: 'wifi',
          a: 'client',
          b: 'server',
          ab: direction(20e6, 10),
          ba: direction(20e6, 10),
        },
        { id: 'lte', a: 'client', b: 'server', ab: direction(10e6, 20), ba: direction(10e6, 20) },
      ],
      routes: [],
      paths: [
        { id: 'wifi', via: ['wifi'] },
        { id: 'lte', via: ['lte'] },
      ],
    },
    server: { http: 'http1', tls: false, mptcp: true },
    media: { kind: 'demo' },
    traffic: [],
    players: [playerOf('dynamic')],
    events: [],
    durationMs: 4000,
    trials: 1,
    seed: 1,
    queueSampleMs: 100,
    backend: 'emulator',
    ...changes,
  };
}

/** A player over plain MPTCP in the browser, uncorrected unless it is ours. */
export function playerOf(abr: PlayerSpec['abr'], changes: Partial<PlayerSpec> = {}): PlayerSpec {
  return {
    id: `${abr}@mptcp`,
    app: 'browser',
    abr,
    carriage: { kind: 'mptcp' },
    correction: abr === 'multipath',
    ...changes,
  };
}
