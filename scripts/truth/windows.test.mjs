import { describe, expect, it } from 'vitest';
import { simulateHalving } from './halving';
import { renderSection } from './table';
import { windowPicture, windowsBetween } from './windows';

/** Path 2 joins after half a second. */
const recorded = {
  stepMs: 100,
  paths: [
    [10, 12, 14, 16, 18, 20, 22, 24, 26, 28],
    [null, null, null, null, null, 10, 11, 12, 13, 14],
  ],
};

describe('windows over time', () => {
  it('gives the samples of a time', () => {
    expect(windowsBetween(recorded, 0.4, 0.7)).toEqual([
      [18, 20, 22],
      [10, 11],
    ]);
  });

  it('draws a curve for each path of kernel and simulator', () => {
    const { svg } = windowPicture('windows-lia-shared', 'lia: windows', recorded, recorded);
    const names = [...svg.matchAll(/<title>([^<]*)/g)].map(([, name]) => name);
    expect(names).toEqual([
      ...['path 1, kernel', 'path 1, simulated'],
      ...['path 2, kernel', 'path 2, simulated'],
    ]);
    // A point each half second; path 2 has no window in the first one.
    expect(svg.match(/<circle/g)).toHaveLength(6);
  });

  it('shows both windows before and after the rate of path 1 halves', () => {
    const { windows, before, after } = simulateHalving('lia', 1);
    expect(windows.paths.map(({ length }) => length)).toEqual([450, 450]);
    expect(after.cwnd[0]).toBeLessThan(before.cwnd[0]);
    const { svg } = windowPicture('windows-lia-halving', 'lia: windows', windows, windows);
    expect(svg).not.toMatch(/NaN|undefined/);
    expect(svg.length).toBeLessThan(20_000);
  });

  it('puts the pictures below the table', () => {
    const picture = windowPicture('windows-lia-shared', 'lia: windows', recorded, recorded);
    const section = { name: 'coupled', title: 'Title', rows: [], pictures: [picture] };
    expect(renderSection(section, 'figures')).toMatch(
      /\n\n!\[lia: windows\]\(figures\/windows-lia-shared\.svg\)$/,
    );
  });
});
