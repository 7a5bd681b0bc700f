import fc from 'fast-check';
import type { ObservedPath, OutstandingRequest, PathObservation } from '../observation';
import type { Policy, PolicyDecision } from '../policy';

/** A living path with a well-known rate, also as its newest sample. */
export function path(
  pathId: string,
  rateBps: number,
  more: Partial<ObservedPath> = {},
): ObservedPath {
  return {
    pathId,
    interfaceName: pathId,
    localAddress: `addr-${pathId}`,
    remoteAddress: 'server',
    state: 'active',
    rateBps,
    safeRateBps: rateBps,
    confidence: 0.9,
    throughputBps: rateBps,
    rcvRttMs: 40,
    metered: false,
    totalBytes: 0,
    preferred: false,
    ...more,
  };
}

/** A large request without urgency is outstanding. */
export function observation(
  monotonicMs: number,
  paths: readonly ObservedPath[],
  more: Partial<PathObservation> = {},
): PathObservation {
  const requests: OutstandingRequest[] = [{ bytesLeft: 1e6, deadlineMs: monotonicMs + 60_000 }];
  return { monotonicMs, paths, requests, bufferMs: 10_000, outOfOrderBytes: 0, ...more };
}

/** A policy in use: each step advances the clock, and the paths follow the policy. */
export class PolicyDriver<State extends object, Config extends object> {
  nowMs = 0;
  last: PolicyDecision<State> | undefined;
  #state: State;
  readonly #stepMs: number;
  readonly #policy: Policy<State, Config>;

  constructor(policy: Policy<State, Config>, config: Partial<Config> = {}, stepMs = 100) {
    this.#stepMs = stepMs;
    this.#policy = policy;
    this.#state = policy.initial(config);
  }

  /** One decision. A living path that was not wanted active before is a backup and shows no throughput. */
  step(paths: readonly ObservedPath[], more: Partial<PathObservation> = {}): string[] {
    const before = this.last?.desired;
    const seen = paths.map((one): ObservedPath => {
      const standsBy = one.state === 'active' && (before?.get(one.pathId) ?? 'active') !== 'active';
      return standsBy ? { ...one, state: 'backup', throughputBps: undefined } : one;
    });
    this.last = this.#policy.decide(this.#state, observation(this.nowMs, seen, more));
    this.#state = this.last.state;
    this.nowMs += this.#stepMs;
    return this.active;
  }

  run(
    steps: number,
    paths: readonly ObservedPath[] | ((index: number) => readonly ObservedPath[]),
    more: Partial<PathObservation> = {},
  ): string[] {
    for (let index = 0; index < steps; index += 1) {
      this.step(typeof paths === 'function' ? paths(index) : paths, more);
    }
    return this.active;
  }

  get active(): string[] {
    const desired = [...(this.last?.desired ?? [])];
    return desired.filter(([, state]) => state === 'active').map(([pathId]) => pathId);
  }

  get reason(): string {
    return this.last?.reason ?? '';
  }
}

const strange = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: 0, max: 1e7, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(NaN, Infinity, -Infinity, -1, -0, Number.MAX_VALUE) },
);
const maybe = fc.option(strange, { nil: undefined });

const anyPath: fc.Arbitrary<ObservedPath> = fc.record({
  pathId: fc.constantFrom('wifi', 'lte', 'eth0', '__proto__', 'two\nlines', ''),
  interfaceName: fc.constantFrom('wifi', 'lte', undefined),
  localAddress: fc.constantFrom('10.0.0.1', '10.0.0.2', undefined),
  remoteAddress: fc.constantFrom('1.1.1.1', '1.1.1.2', undefined),
  state: fc.constantFrom('active', 'active', 'backup', 'connecting', 'lost', 'closed'),
  rateBps: strange,
  safeRateBps: strange,
  confidence: fc.oneof(fc.double({ min: 0, max: 1 }), strange),
  throughputBps: maybe,
  rcvRttMs: fc.oneof(fc.double({ min: 1, max: 500 }), maybe),
  metered: fc.boolean(),
  costPerGb: maybe,
  budgetBytes: maybe,
  totalBytes: strange,
  preferred: fc.boolean(),
  silent: fc.option(fc.boolean(), { nil: undefined }),
});

/** Observations of a broken feed: any numbers, duplicate paths, a jumping clock. */
export const anyObservations: fc.Arbitrary<PathObservation[]> = fc
  .array(
    fc.record({
      stepMs: fc.constantFrom(100, 100, 100, 100, 0, 5000, -3000, NaN, 1e15),
      paths: fc.array(anyPath, { maxLength: 5 }),
      requests: fc.array(fc.record({ bytesLeft: maybe, deadlineMs: maybe }), { maxLength: 3 }),
      bufferMs: maybe,
      goodputBps: maybe,
      outOfOrderBytes: strange,
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((steps) => {
    let monotonicMs = 1000;
    return steps.map(({ stepMs, ...rest }) => {
      monotonicMs += Number.isFinite(stepMs) ? stepMs : 0;
      return { monotonicMs: Number.isNaN(stepMs) ? NaN : monotonicMs, ...rest };
    });
  });

/** The same paths repeatedly, so that averages fill and hysteresis acts. */
export const steadyObservations: fc.Arbitrary<PathObservation[]> = fc
  .tuple(
    fc.array(anyPath, { minLength: 1, maxLength: 4 }),
    fc.array(fc.array(strange, { minLength: 4, maxLength: 4 }), { minLength: 20, maxLength: 60 }),
  )
  .map(([paths, rates]) =>
    rates.map((row, index) =>
      observation(
        index * 100,
        paths.map((one, at) => ({ ...one, throughputBps: row[at], rateBps: row[at] ?? 0 })),
      ),
    ),
  );
