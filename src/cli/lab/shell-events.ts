import { errorText, printableLine, printableMessage } from '../../core';
import { isPlayerEvent, type TimelineEvent } from '../../scenario';
import { print } from '../../runner/host';
import { applyEvent, type EventTargets } from '../../runner/trial';

const say = (text: string): void => print(process.stderr, `[lab] ${text}\n`);

/**
 * Plays the events of network and server from now on. A shell has no player: its events would stop this process,
 * or fail. They are named once.
 * @returns a function that cancels the rest
 */
export function playEvents(
  events: readonly TimelineEvent[],
  targets: Pick<EventTargets, 'network' | 'server'>,
  /** Replaces the effect of an event in tests. */
  apply: typeof applyEvent = applyEvent,
): () => void {
  const skipped = events.filter(isPlayerEvent);
  if (skipped.length > 0) {
    const list = skipped.map(({ kind, atMs }) => `${kind} at ${atMs / 1000} s`).join(', ');
    say(`skipped, since no player runs here: ${list}`);
  }
  const timers = events
    .filter((event) => !isPlayerEvent(event))
    .map((event) =>
      setTimeout(() => {
        const { atMs, kind, ...rest } = event;
        const what = `${kind} ${Object.values(rest).join(' ')}`;
        say(`${atMs / 1000} s: ${printableLine(what)}`);
        apply(event, targets).catch((error: unknown) => {
          say(printableMessage(errorText(error)));
        });
      }, event.atMs),
    );
  return () => timers.forEach((timer) => clearTimeout(timer));
}
