import { mean } from '../../src/core';
import { experimentPicture } from '../../src/experiments';

/** Congestion windows of an MPTCP sender over time. */
export interface WindowTrace {
  /** Time between two samples; the first one is at 0. */
  stepMs: number;
  /** One list of samples for each path, in segments; null before the subflow joined. */
  paths: (number | null)[][];
}

/** A figure as a file of its own. */
export interface Picture {
  /** File name without its ending. */
  name: string;
  title: string;
  svg: string;
}

export const WINDOW_STEP_MS = 100;
/** A point of a picture is the mean of this time. */
const POINT_MS = 500;

/** Samples from one time to another; null and missing ones are left out. */
export function windowsBetween(
  { stepMs, paths }: WindowTrace,
  fromSeconds: number,
  toSeconds: number,
): number[][] {
  const at = (seconds: number): number => Math.round((seconds * 1000) / stepMs);
  return paths.map((samples) =>
    samples
      .slice(at(fromSeconds), at(toSeconds))
      .filter((window): window is number => window !== null),
  );
}

function pointsOf(trace: WindowTrace, path: number): { x: number; y: number }[] {
  const seconds = POINT_MS / 1000;
  const count = Math.floor(((trace.paths[path]?.length ?? 0) * trace.stepMs) / POINT_MS);
  return Array.from({ length: count }, (_, index) => index * seconds).flatMap((fromSeconds) => {
    const y = mean(windowsBetween(trace, fromSeconds, fromSeconds + seconds)[path] ?? []);
    return y === undefined ? [] : [{ x: fromSeconds + seconds / 2, y: Math.round(y * 10) / 10 }];
  });
}

/** Windows over time, the kernel's beside the simulated ones. @param name of the picture's file */
export function windowPicture(
  name: string,
  title: string,
  kernel: WindowTrace,
  simulated: WindowTrace,
): Picture {
  const sides = [
    { side: 'kernel', trace: kernel },
    { side: 'simulated', trace: simulated },
  ];
  const svg = experimentPicture({
    title,
    kind: 'lines',
    x: { label: 'Time', unit: 's' },
    y: { label: 'Congestion window', unit: 'segments', from: 0 },
    series: [0, 1].flatMap((path) =>
      sides.map(({ side, trace }) => ({
        label: `path ${path + 1}, ${side}`,
        points: pointsOf(trace, path),
      })),
    ),
    note: '',
  });
  return { name, title, svg };
}
