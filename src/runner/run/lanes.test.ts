import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { carriedLanes, inLanes, readLanes } from './lanes';

describe('inLanes', () => {
  it('starts in order, never more than the limit at a time', async () => {
    const started: number[] = [];
    let running = 0;
    let most = 0;
    await inLanes([1, 2, 3, 4, 5], 2, async (item, begun) => {
      begun();
      started.push(item);
      running += 1;
      most = Math.max(most, running);
      await sleep(item % 2);
      running -= 1;
      return true;
    });
    expect(started).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('starts one after the other', async () => {
    const log: string[] = [];
    await inLanes([1, 2, 3], 3, async (item, begun) => {
      log.push(`starts ${item}`);
      await sleep(2);
      log.push(`plays ${item}`);
      if (item !== 2) begun();
      await sleep(item === 2 ? 2 : 20);
      if (item === 2) log.push('ends 2');
      return true;
    });
    expect(log).toEqual([
      'starts 1',
      'plays 1',
      'starts 2',
      'plays 2',
      'ends 2',
      'starts 3',
      'plays 3',
    ]);
  });

  it('starts no more after a false or an error, and waits for the running ones', async () => {
    const ended: number[] = [];
    await inLanes([1, 2, 3], 1, (item) => Promise.resolve(ended.push(item) < 2));
    expect(ended).toEqual([1, 2]);
    const failing = inLanes([1, 2, 3, 4], 2, async (item, begun) => {
      begun();
      if (item === 1) throw new Error('disk full');
      await sleep(5);
      return ended.push(item * 10) > 0;
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(ended).toEqual([1, 2, 20]);
  });
});

it('uses more lanes for small pictures, and at least one', () => {
  const small = {
    kind: 'ladder',
    videoBps: [],
    audioBps: [],
    segmentMs: 2000,
    pictures: 'small',
  } as const;
  expect(carriedLanes([small], 8, 64e9)).toBe(8);
  expect(carriedLanes([small, { kind: 'demo' }], 8, 64e9)).toBe(4);
  expect(carriedLanes([small], 8, 3.5e9)).toBe(3);
  expect(carriedLanes([{ kind: 'demo' }], 1, 1e6)).toBe(1);
});

it('parses the number', () => {
  expect([readLanes('3'), readLanes('auto')]).toEqual([3, 'auto']);
  for (const text of ['0', '-1', '1.5', 'many', '65'])
    expect(() => readLanes(text)).toThrow('auto');
});
