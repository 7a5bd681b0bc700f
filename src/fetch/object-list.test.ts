import { expect, it } from 'vitest';
import { FetchObject } from './fetch-object';
import { ObjectList } from './object-list';
import { OriginFacts } from './origin-book';

const object = (id: string, neededAtMs: number | undefined, isRead = true): FetchObject => {
  const request = { url: new URL('http://media/'), headers: {}, joinable: true, neededAtMs };
  const made = new FetchObject(id, request, new OriginFacts());
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
