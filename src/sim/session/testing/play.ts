/** Plays a stream over the simulator with the brain's decisions, and records its inputs. */
import { createSummary, type SessionSummary } from '../../../qoe';
import type { LogEvent } from '../../../session-log';
import { expandTopology, type MediaSizes, type Scenario } from '../../../scenario';
import { congestionControls, schedulers, simulateSession } from '../..';
import type { SessionCarriageSpec } from '../session-options';
import { replay, type BrainConfig, type BrainDecision, type BrainInput } from '../../../brain';

export interface TestPath {
  id: string;
  rateBps: number;
  /** One-way delay. */
  delayMs: number;
  lossRatio?: number;
}

export interface TestPlay {
  paths: readonly TestPath[];
  config?: BrainConfig;
  /** Default MPTCP. */
  carriage?: SessionCarriageSpec;
  bitratesBps?: readonly number[];
  durationMs?: number;
  bufferTargetMs?: number;
  events?: Scenario['events'];
  /** Replaces an input of the brain. */
  filterInput?: (input: BrainInput) => readonly BrainInput[];
  /** Writes a log that can be replayed. */
  journal?: boolean;
}

export interface TestResult {
  events: LogEvent[];
  summary: SessionSummary;
  /** The brain's inputs. */
  inputs: BrainInput[];
  decisions: BrainDecision[];
}

export const bitratesBps = [300, 600, 1200, 2400, 4000, 6000].map((kbps) => kbps * 1000);
const ours: BrainConfig = { policy: 'model', abr: 'multipath' };

/** Sizes vary around the bit rate, like real ones. */
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
  const {
    durationMs = 30_000,
    config = ours,
    filterInput = (input: BrainInput) => [input],
  } = options;
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
    carriage: options.carriage ?? { kind: 'mptcp' },
    ...(options.bufferTargetMs === undefined ? {} : { bufferTargetMs: options.bufferTargetMs }),
    ...(options.journal === undefined ? {} : { journal: options.journal }),
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
    filterInput: (input) => {
      const passed = filterInput(input);
      inputs.push(...passed);
      return passed;
    },
  });
  const summary = createSummary();
  for (const event of events) summary.add(event);
  return { events, summary: summary.finish(), inputs, decisions: replay(config, inputs) };
}
