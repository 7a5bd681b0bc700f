import { describe, expect, it } from 'vitest';
import { renderExperiment } from './page';
import { cellText, claimsTexts, experimentText } from './text';
import { experimentFigure } from './svg';
import type { ExperimentClaim, ExperimentFigure, ExperimentReport, ExperimentRun } from './types';

const run: ExperimentRun = {
  generator: 'multipath-dash <1>',
  startedAt: '2026-01-01T00:00:00.000Z',
  quick: true,
  seed: 7,
  jobs: { planned: 5, done: 4, failed: 1 },
  machine: { processor: 'A & B' },
};

const HOSTILE = '<img src=x> & "quotes" | bar\nline';
const figure = (kind: ExperimentFigure['kind']): ExperimentFigure => ({
  title: HOSTILE,
  kind,
  x: { label: HOSTILE, names: [HOSTILE, 'b'] },
  y: { label: HOSTILE, unit: HOSTILE },
  series: [
    {
      label: HOSTILE,
      points: [
        { x: 0, y: 1, low: 0.5, high: 2 },
        { x: 1, y: 3 },
      ],
    },
    { label: 'none', points: [] },
  ],
  note: HOSTILE,
});
const report: ExperimentReport = {
  name: 'hostile',
  title: HOSTILE,
  paper: HOSTILE,
  simulated: true,
  method: [HOSTILE],
  tables: [
    {
      title: HOSTILE,
      columns: [{ label: HOSTILE, unit: HOSTILE }],
      rows: [[HOSTILE]],
      note: HOSTILE,
    },
  ],
  figures: [figure('lines'), figure('bars'), figure('steps')],
  claims: [{ place: HOSTILE, paper: HOSTILE, ours: HOSTILE, agrees: null }],
};
const assets = { clientCss: '', nonce: 'abcdefgh12345678' };

describe('the page of a simulated experiment', () => {
  it('escapes text, and states that it is simulated', () => {
    const page = renderExperiment(report, run, assets);
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x&gt;');
    expect(page).toContain('class="banner"');
    expect(page).toContain('1 of them failed');
    expect(page.match(/<svg viewBox/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('puts the note of the counts behind them, on the page and in the text', () => {
    const noted = { ...report, claimsNote: 'Each counts twice.' };
    const counts = /1 are undecided by these trials. Each counts twice\./;
    expect(renderExperiment(noted, run, assets)).toMatch(counts);
    expect(experimentText(noted, run)).toMatch(counts);
  });

  it('keeps a table of the text valid for any cell content', () => {
    const rows = experimentText(report, run)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    for (const row of rows) expect(row).toMatch(/^\|.*\|$/);
    expect(rows.some((row) => row.includes('\\| bar line'))).toBe(true);
  });

  it('has a column of the paper’s values only where a statement has one', () => {
    const claim = { place: 'Fig. 1', paper: 'switches', ours: '4', agrees: true };
    const texts = (...claims: ExperimentClaim[]): string[][] => {
      const { head, rows } = claimsTexts({ claims, paper: 'A paper' });
      return [head, ...rows];
    };
    expect(texts(claim)[0]).toEqual(['place', 'the paper says', 'here', '']);
    expect(claimsTexts({ claims: [claim], paper: '' }).head[1]).toBe('goal');
    expect(texts(claim, { ...claim, paperValue: '7' })).toEqual([
      ['place', 'the paper says', 'paper', 'here', ''],
      ['Fig. 1', 'switches', '', '4', 'agrees'],
      ['Fig. 1', 'switches', '7', '4', 'agrees'],
    ]);
  });
});

describe('figures', () => {
  const coordinates = (svg: string): number[] =>
    [...svg.matchAll(/(?:[MLHV,]|[xy][12]?="|c[xy]="|width="|height=")(-?[\d.]+|NaN)/g)].map(
      ([, value]) => Number(value),
    );
  it.each(['lines', 'bars', 'steps'] as const)('%s stay inside, without a NaN', (kind) => {
    const points = [
      [0, -1e6],
      [1, 0],
      [2, NaN],
      [3, 1e6],
      [4, Infinity],
    ].map(([x = 0, y = 0]) => ({ x, y }));
    for (const series of [[], [{ label: 'a', points: [] }], [{ label: 'a', points }]]) {
      const svg = experimentFigure({
        ...figure(kind),
        x: { label: '' },
        y: { label: '', from: -10 },
        series,
      });
      const values = coordinates(svg);
      expect(values.length).toBeGreaterThan(0);
      expect(values.every((value) => value >= 0 && value <= 520)).toBe(true);
    }
  });

  it('fits names: on lines if possible, else rotated', () => {
    const named = (names: readonly string[]): string =>
      experimentFigure({
        ...figure('bars'),
        x: { label: '', names },
        series: [{ label: 'a', points: names.map((_, x) => ({ x, y: 1 })) }],
      });
    const height = (svg: string): number => Number(/viewBox="0 0 520 ([\d.]+)"/.exec(svg)?.[1]);
    const short = named(['LIA', 'OLIA']);
    const lines = named(['CompuServe of 10 clients', 'Jellyfish', 'other', 'another']);
    const many = named(Array.from({ length: 16 }, (_, i) => `scheduler ${i}`));
    expect([short, lines].map((svg) => svg.includes('rotate(-50'))).toEqual([false, false]);
    expect(lines).toMatch(/>CompuServe of<.*>10 clients</);
    expect(many).toContain('rotate(-50');
    expect(height(lines)).toBeGreaterThan(height(short));
    expect(height(many)).toBeGreaterThan(height(lines));
  });

  it('draws a step as one, and each bar with its interval', () => {
    const [step, bar] = (['steps', 'bars'] as const).map((kind) => experimentFigure(figure(kind)));
    expect(step).toMatch(/d="M[\d.]+,([\d.]+)L([\d.]+),\1L\2,[\d.]+"/);
    expect(bar?.match(/class="bar"/g)).toHaveLength(2);
    expect(bar?.match(/class="whisker"/g)).toHaveLength(1);
  });
});

it.each([
  [null, '-'],
  ['text', 'text'],
  [3, '3'],
  [0.000123, '0.00012'],
  [12.345, '12.3'],
  [1234.5, '1235'],
  [{ count: 0, mean: null, low: null, high: null }, '-'],
  [{ count: 1, mean: 2.345, low: null, high: null }, '2.35'],
  [{ count: 3, mean: 20.44, low: 19, high: 22 }, '20.4 (19.0 to 22.0)'],
  [{ count: 3, mean: 0.0012, low: 0.001, high: 0.0014 }, '0.0012 (0.0010 to 0.0014)'],
] as const)('shows %j as %s', (cell, text) => {
  expect(cellText(cell)).toBe(text);
});
