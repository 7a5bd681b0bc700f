import type { Clock } from '../ports';

/** Settles as the work does, or after `ms` as `late` says. The work goes on. */
export function settleWithin<T>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<T>,
  late: () => T | Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => {
      resolve(late());
    });
    work.then(resolve, reject).finally(stop);
  });
}
