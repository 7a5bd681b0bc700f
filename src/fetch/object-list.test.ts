import { expect, it } from 'vitest';
import { FetchObject } from './fetch-object';
import { ObjectList } from './object-list';
import { OriginFacts } from './origin-book';

const object = (
  id: string,
  neededAtMs: number | undefined,
  isRead = true,
  expectedBytes?: number,
): FetchObject => {
  const url = new URL('http://media/');
  const request = { url, headers: {}, joinable: true, neededAtMs, expectedBytes };
  const made = new FetchObject(id, request, new OriginFacts(), 0);
  const ignore = (): undefined => undefined;
  if (isRead) made.readBy({ onHead: ignore, onData: () => true, onEnd: ignore, onFailure: ignore });
  return made;
};
const idsOf = (list: ObjectList): string[] => list.active.map(({ id }) => id);

it('sorts by the time of need, announced objects last', () => {
  const list = new ObjectList();
  list.add(object('next video', 1000, false));
  list.add(object('video', 9000));
  list.add(object('audio', 8000));
  list.add(object('manifest', undefined));
  expect(idsOf(list)).toEqual(['manifest', 'audio', 'video', 'next video']);
});

it('fetches audio before the video of the same time, whose many bytes hold it back for long', () => {
  const list = new ObjectList();
  list.add(object('video', 8000, true, 1_500_000));
  list.add(object('audio', 8040, true, 33_000));
  expect(idsOf(list)).toEqual(['audio', 'video']);
  list.add(object('later audio', 10_040, true, 33_000));
  expect(idsOf(list)).toEqual(['audio', 'video', 'later audio']);
});

it('limits active objects to 32; the next one starts when one is removed', () => {
  const list = new ObjectList();
  const first = object('first', 0);
  const last = object('last', 99);
  list.add(first);
  for (let index = 1; index < 39; index += 1) list.add(object(String(index), index));
  list.add(last);
  expect(list.length).toBe(32);
  expect(list.remove(last)).toBe(true);
  expect(idsOf(list).at(-1)).toBe('31');
  list.remove(first);
  expect(idsOf(list).at(-1)).toBe('32');
  expect(list.remove(first)).toBe(false);
  expect(list.clear()).toHaveLength(38);
});
