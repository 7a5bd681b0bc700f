import { expect, it } from 'vitest';
import { countMissing } from './subtitle-rescue';

/** The counts after answers for files of these names. */
function counts(...answers: [url: string, status: number][]): number[] {
  const count = countMissing();
  return answers.map(([url, status]) => count(url, status));
}

it('takes a file for missing after three refusals: it may still be written', () => {
  expect(counts(['a', 404], ['a', 404], ['a', 404], ['a', 404])).toEqual([0, 0, 1, 0]);
  expect(counts(['a', 503], ['a', 200], ['a', 503], ['a', 503])).toEqual([0, 0, 0, 0]);
});

it('gives up on a network without an answer before dash.js ends playback', () => {
  const silent = Array.from({ length: 30 }, (): [string, number] => ['a', 0]);
  expect(counts(...silent).indexOf(1)).toBe(19);
});

it('counts the missing files in a row', () => {
  const gone = (url: string): [string, number][] => [
    [url, 404],
    [url, 404],
    [url, 404],
  ];
  expect(counts(...gone('a'), ...gone('b'))).toEqual([0, 0, 1, 0, 0, 2]);
  expect(counts(...gone('a'), ['b', 200], ...gone('c'))).toEqual([0, 0, 1, 0, 0, 0, 1]);
});

it('knows a file by its address without CMCD, which differs with each try', () => {
  const tries = [1, 2, 3].map((sn): [string, number] => [
    `http://a/1.m4s?t=1&CMCD=sn%3D${sn}`,
    404,
  ]);
  expect(counts(...tries)).toEqual([0, 0, 1]);
});
