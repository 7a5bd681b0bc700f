import type { LabNetwork } from '../../../lab';
import type { Clock } from '../../../ports';
import type { TimelineEvent } from '../../../scenario';

/**
 * Carries out a scenario's events from now on; the function returned calls off what is left and waits for what
 * is under way.
 */
export function startTimeline(
  events: readonly TimelineEvent[],
  network: Pick<LabNetwork, 'apply'>,
  clock: Pick<Clock, 'after'>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  let running = Promise.resolve();
  const cancels = events.map((event) =>
    clock.after(event.atMs, () => {
      // One after another: two events at one time take effect in their order.
      running = running.then(() => network.apply(event)).catch(onFailure);
    }),
  );
  return async () => {
    for (const cancel of cancels) cancel();
    await running;
  };
}
