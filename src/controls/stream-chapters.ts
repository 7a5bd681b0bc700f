/** One chapter of the stream, in seconds of the video. The field names are the library's. */
export interface Chapter {
  text: string;
  startTime: number;
  endTime: number;
}

/** The fields of dash.js's events of a period that chapters need; times in seconds of the video. */
export interface PeriodEvent {
  eventStream: { schemeIdUri: string };
  calculatedPresentationTime: number;
  /** NaN where the event has none. */
  duration: number;
  messageData?: unknown;
}

/**
 * The chapters among the events of a manifest. No scheme for them is registered (dashif.org/identifiers/event_schemes), and
 * ISO/IEC 23009-1, 5.10.2 leaves schemes to the application. Packagers name theirs after chapters and write the title
 * as text of the event, so any such scheme counts. A chapter without a duration ends where the next one begins.
 * @param endTime of the last one; NaN where it is not known
 */
export function chaptersOf(events: readonly PeriodEvent[], endTime: number): Chapter[] {
  const named = events
    .filter(({ eventStream }) => /chapter/i.test(eventStream.schemeIdUri))
    .flatMap(({ calculatedPresentationTime: startTime, duration, messageData }) => {
      const text = typeof messageData === 'string' ? messageData.trim() : '';
      return text === '' ? [] : [{ text, startTime, duration }];
    })
    .sort((a, b) => a.startTime - b.startTime);
  return named.map(({ text, startTime, duration }, index) => {
    const next = named[index + 1]?.startTime ?? endTime;
    const end = duration > 0 ? Math.min(next, startTime + duration) : next;
    return { text, startTime, endTime: end > startTime ? end : startTime };
  });
}
