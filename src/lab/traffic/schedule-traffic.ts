import { setTimeout as sleep } from 'node:timers/promises';
import type { TrafficResult, TrafficSpec } from '../../scenario';
import type { ScheduleTraffic, TrafficNetwork, TrafficOptions } from './running-traffic';
import { failedResult, startTraffic } from './start-traffic';

/** Resolves on abort, at once if already aborted. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

async function runOne(
  spec: TrafficSpec,
  network: TrafficNetwork,
  trialDir: string,
  options: TrafficOptions,
  end: AbortSignal,
): Promise<TrafficResult> {
  const pause = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { signal: end }).catch(() => undefined);
  await pause(spec.startMs);
  if (end.aborted) return failedResult(spec, 'the trial ended before its start');
  try {
    const running = await startTraffic(spec, network, trialDir, { ...options, signal: end });
    if (spec.durationMs !== undefined) await pause(spec.durationMs);
    else await aborted(end);
    return await running.stop();
  } catch (error) {
    const failed = failedResult(spec, error);
    options.onFailure?.(`traffic ${spec.id}: ${failed.error ?? ''}`);
    return failed;
  }
}

/** See {@link ScheduleTraffic}. */
export const scheduleTraffic: ScheduleTraffic = (specs, network, trialDir, options = {}) => {
  const ending = new AbortController();
  const end =
    options.signal === undefined ? ending.signal : AbortSignal.any([ending.signal, options.signal]);
  const results = Promise.all(specs.map((spec) => runOne(spec, network, trialDir, options, end)));
  return {
    stop: () => {
      ending.abort();
      return results;
    },
  };
};
