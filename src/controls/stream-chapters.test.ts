import { expect, it } from 'vitest';
import { chaptersOf, type PeriodEvent } from './stream-chapters';

const event = (
  calculatedPresentationTime: number,
  messageData: unknown,
  duration = NaN,
  schemeIdUri = 'urn:example:dash:chapter:2026',
): PeriodEvent => ({
  eventStream: { schemeIdUri },
  calculatedPresentationTime,
  messageData,
  duration,
});

it('orders chapters, and ends each by its duration, the next chapter or the film', () => {
  const events = [event(60, 'Credits'), event(0, ' Opening ', 20), event(30, 'Forest', 90)];
  expect(chaptersOf(events, 100)).toEqual([
    { text: 'Opening', startTime: 0, endTime: 20 },
    { text: 'Forest', startTime: 30, endTime: 60 },
    { text: 'Credits', startTime: 60, endTime: 100 },
  ]);
});

it('gives a last chapter no length where the end is not known', () => {
  expect(chaptersOf([event(5, 'Live')], NaN)).toEqual([{ text: 'Live', startTime: 5, endTime: 5 }]);
});

it('leaves out events of other schemes and events without a title', () => {
  const advertisement = event(0, 'splice', 30, 'urn:scte:scte35:2013:xml');
  expect(
    chaptersOf([advertisement, event(0, new Uint8Array(4)), event(0, ''), event(5, '')], 60),
  ).toEqual([]);
});
