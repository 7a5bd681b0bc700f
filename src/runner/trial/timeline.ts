import type { Clock } from '../../ports';

/**
 * Executes a scenario's events from now on. The returned function cancels the rest and waits for running
 * ones.
 */
export function startTimeline<E extends { atMs: number }>(
  events: readonly E[],
  apply: (event: E) => Promise<void>,
  clock: Pick<Clock, 'after'>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let running = Promise.resolve();
  const cancels = events.map((event) =>
    clock.after(event.atMs, () => {
      // Serial execution: two events at one time take effect in their order.
      running = running.then(() => apply(event)).catch(onFailure);
    }),
  );
  return async () => {
    for (const cancel of cancels) cancel();
    await running;
  };
}
