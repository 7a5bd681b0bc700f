import { expect, it } from 'vitest';
import { keepNewest } from './keep-newest';

it('drops the entry that was set longest ago', () => {
  const map = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c']) keepNewest(map, key, map.size, 2);
  expect([...map.keys()]).toEqual(['a', 'c']);
});
