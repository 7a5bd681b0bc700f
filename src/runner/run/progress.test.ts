import { describe, expect, it } from 'vitest';
import { figuresLine, manyFiguresLine, Progress, timeLeft, trialLine } from './progress';

describe('Progress', () => {
  it('estimates from the playing time, then from the duration of trials', () => {
    const progress = new Progress(4, 10_000);
    expect(progress.leftMs()).toBe(40_000);
    progress.finished(20_000);
    expect(progress.leftMs()).toBe(60_000);
    expect(progress.leftMs(5000)).toBe(55_000);
    expect(progress.leftMs(90_000)).toBe(40_000);
    progress.finished();
    progress.finished(14_000);
    expect(progress.leftMs()).toBe(17_000);
    progress.finished(1);
    expect(progress.leftMs()).toBe(0);
  });

  it('counts rounds if several run at the same time', () => {
    const progress = new Progress(5, 10_000, 2);
    expect(progress.leftMs()).toBe(30_000);
    progress.finished(12_000);
    expect(progress.leftMs(2000)).toBe(22_000);
  });

  it('is printed in the largest useful unit', () => {
    expect([89_000, 90_000, 5_340_000, 5_400_000, 7_500_000].map(timeLeft)).toEqual([
      '89 s',
      '2 min',
      '89 min',
      '1 h 30 min',
      '2 h 05 min',
    ]);
  });

  it('writes readable lines', () => {
    const plan = { number: 3, player: 'bola@wifi', trial: 2, seed: 2, folder: 'trials/3' };
    expect(trialLine('pair', plan, 10, 240_000)).toBe(
      '[lab] pair: trial 3 of 10, bola@wifi, repetition 2; about 4 min left',
    );
    const paths = [{ id: 'wifi', rateBps: 4_200_000 }];
    expect(figuresLine({ bitrateBps: 1_800_000, bufferMs: 12_340, stalls: 1, paths })).toBe(
      '1.80 Mbit/s, buffer 12.3 s, 1 stall, wifi 4.20 Mbit/s',
    );
  });

  it('distinguishes simultaneous trials', () => {
    const figures = { bitrateBps: 1_800_000, bufferMs: 12_340, stalls: 2, paths: [] };
    expect(manyFiguresLine(new Map([['#3', figures]]))).toBe(figuresLine(figures));
    expect(
      manyFiguresLine(
        new Map([
          ['#3', figures],
          ['#4', undefined],
        ]),
      ),
    ).toBe('#3 1.80 Mbit/s, 12.3 s, 2 stalls | #4 starts');
  });
});
