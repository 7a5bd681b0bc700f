import { describe, expect, it } from 'vitest';
import { createRandom, mean } from '../../core';
import { CLIENT_COUNTS, drawLinks, drawPoisson, LINK_TABLE } from './link-values';
import { switchGraph, TOPOLOGY_NAMES } from './switch-graph';

describe('link values', () => {
  it('have the mean and deviation of Tables I and II, and 10 to 100 ms', () => {
    for (const topology of TOPOLOGY_NAMES) {
      const { links } = switchGraph(topology, 1);
      for (const clients of CLIENT_COUNTS) {
        const wanted = LINK_TABLE[topology][clients];
        const drawn = drawLinks(links.length, wanted, 5);
        const mbps = drawn.map(({ rateBps }) => rateBps / 1e6);
        const centre = mean(mbps) ?? 0;
        const deviation = Math.sqrt(mean(mbps.map((one) => (one - centre) ** 2)) ?? 0);
        expect(centre).toBeCloseTo(wanted.mean, 2);
        expect(deviation).toBeCloseTo(wanted.deviation, 2);
        expect(Math.min(...mbps)).toBeGreaterThanOrEqual(1);
        for (const { delayMs } of drawn) {
          expect(delayMs % 10).toBe(0);
          expect(delayMs).toBeGreaterThanOrEqual(10);
          expect(delayMs).toBeLessThanOrEqual(100);
        }
      }
    }
  });

  it('are equal for a seed and differ for others', () => {
    const table = LINK_TABLE.custom[30];
    expect(drawLinks(19, table, 2)).toEqual(drawLinks(19, table, 2));
    expect(drawLinks(19, table, 3)).not.toEqual(drawLinks(19, table, 2));
  });

  it('follow a Poisson distribution: mean and variance are equal', () => {
    const random = createRandom(11);
    const drawn = Array.from({ length: 20_000 }, () => drawPoisson(4, random));
    const centre = mean(drawn) ?? 0;
    expect(centre).toBeCloseTo(4, 1);
    expect(mean(drawn.map((one) => (one - centre) ** 2))).toBeCloseTo(4, 0);
  });
});
