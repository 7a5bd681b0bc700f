/** Plays a stream over the simulator with the brain deciding, and keeps what it was told. */
import { createSummary, type LogEvent, type SessionSummary } from '../../qoe';
import { expandTopology, type MediaSizes, type Scenario } from '../../scenario';
import { congestionControls, schedulers, simulateSession } from '../../sim';
import { replay, type BrainConfig, type BrainDecision, type BrainInput } from '..';

export interface TestPath {
  id: string;
  rateBps: number;
  /** One way. */
  delayMs: number;
  lossRatio?: number;
}

export interface TestPlay {
  paths: readonly TestPath[];
  config?: BrainConfig;
  bitratesBps?: readonly number[];
  durationMs?: number;
  bufferTargetMs?: number;
  events?: Scenario['events'];
  /** What the brain is told in place of what happens. */
  tell?: (input: BrainInput) => readonly BrainInput[];
  /** Write the log so that it can be replayed. */
  journal?: boolean;
}

export interface TestResult {
  events: LogEvent[];
  summary: SessionSummary;
  /** What the brain was told. */
  inputs: BrainInput[];
  decisions: BrainDecision[];
}

export const bitratesBps = [300, 600, 1200, 2400, 4000, 6000].map((kbps) => kbps * 1000);
const ours: BrainConfig = { policy: 'model', abr: 'multipath' };

/** Sizes vary around the bit rate, as real ones do. */
function film(rates: readonly number[], durationMs: number): MediaSizes {
  const segmentMs = 2000;
  const count = Math.ceil(durationMs / segmentMs) + 40;
  const sized = (bitrateBps: number) => ({
    bitrateBps,
    bytes: Array.from({ length: count }, (_, i) =>
      Math.round(((bitrateBps * segmentMs) / 8000) * (1 + 0.2 * Math.sin(1.7 * i))),
    ),
  });
  return { segmentMs, video: rates.map(sized), audio: [sized(64_000)] };
}

export function play(options: TestPlay): TestResult {
  const { durationMs = 30_000, config = ours, tell = (input: BrainInput) => [input] } = options;
  const inputs: BrainInput[] = [];
  const queue = { discipline: 'droptail' as const };
  const events = simulateSession({
    scenario: {
      name: 'test',
      topology: expandTopology({
        kind: 'multihomed',
        paths: options.paths.map(({ id, ...direction }) => {
          const both = { ...direction, queue, queueBytes: 60_000 };
          return { id, down: both, up: both };
        }),
      }),
      events: options.events ?? [],
      durationMs,
      traffic: [],
    },
    media: film(options.bitratesBps ?? bitratesBps, durationMs),
    player: { kind: 'brain', config },
    seed: 1,
    ...(options.bufferTargetMs === undefined ? {} : { bufferTargetMs: options.bufferTargetMs }),
    ...(options.journal === undefined ? {} : { journal: options.journal }),
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
    tell: (input) => {
      const told = tell(input);
      inputs.push(...told);
      return told;
    },
  });
  const summary = createSummary();
  for (const event of events) summary.add(event);
  return { events, summary: summary.finish(), inputs, decisions: replay(config, inputs) };
}
