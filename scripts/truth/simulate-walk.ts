import { robustMpc } from '../../src/abr';
import type { PairScenario } from '../../src/experiments';
import { summarize } from '../../src/qoe';
import { mediaSizes } from '../../src/scenario';
import {
  congestionControls,
  schedulers,
  simulateSession,
  type SimSessionOptions,
  statelessController,
} from '../../src/sim';
import {
  BUFFER_MS,
  LADDER_BPS,
  measured,
  SEGMENT_MS,
  type Over,
  type WalkResult,
  walkScenario,
} from './walk-cases';

const REST_MS = 60_000;

/** The emulator's own: the time between two turns of its loop on a busy machine. */
const JITTER_MS = 0.5;

/** A walk in the simulator, with the same player. Seeds differ by the emulator's jitter alone. */
export function simulateWalk(number: number, over: Over, seed: number): WalkResult {
  const scenario = jittery(walkScenario(number));
  const events = simulateSession({
    scenario,
    media: mediaSizes(
      {
        kind: 'ladder',
        videoBps: LADDER_BPS,
        audioBps: [],
        segmentMs: SEGMENT_MS,
        pictures: 'small',
      },
      scenario.durationMs + REST_MS,
    ),
    player: {
      kind: 'controller',
      create: () => statelessController('robust-mpc', robustMpc),
    },
    seed,
    bufferTargetMs: BUFFER_MS,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
    ...carriageOf(over),
  });
  const { linearQoe, startupDelayMs, stalls } = summarize(events);
  const fetched = events.flatMap((event) =>
    event.type === 'request' && event.kind === 'media' && event.rung !== undefined
      ? [{ rung: event.rung, startMs: event.startMs, endMs: event.endMs }]
      : [],
  );
  const shown = fetched.slice(0, linearQoe?.segments ?? 0);
  return measured(shown, startupDelayMs ?? 0, stalls.totalMs);
}

function carriageOf(over: Over): Pick<SimSessionOptions, 'paths' | 'carriage'> {
  if (over === 'mptcp') return {};
  return over === 'ranges' ? { carriage: { kind: 'ranges' } } : { paths: [over] };
}

function jittery(scenario: PairScenario): PairScenario {
  const jitter = { shape: 'uniform' as const, spreadMs: JITTER_MS };
  const links = scenario.topology.links.map((link) => ({
    ...link,
    ab: { ...link.ab, jitter },
    ba: { ...link.ba, jitter },
  }));
  return { ...scenario, topology: { ...scenario.topology, links } };
}
