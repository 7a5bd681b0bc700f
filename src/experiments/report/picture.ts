import { escapeHtml, n, playerClass } from '../../report';
import { experimentFigure } from './svg';
import type { ExperimentFigure } from './types';

/** The style of the pages' figures, for a picture on its own: light, as paper. */
const STYLE = `svg { --text: #1a1a1a; --muted: #555; --grid: #ddd; font-family: sans-serif; }
.grid { stroke: var(--grid); } .tick { fill: var(--muted); font-size: 11px; }
.name { fill: var(--text); font-size: 12px; } .title { fill: var(--text); font-size: 13px; font-weight: 600; }
.band { fill: var(--player); fill-opacity: 0.13; } .dot { fill: var(--player); fill-opacity: 0.45; }
.line { fill: none; stroke: var(--player); stroke-width: 2; } .bar { fill: var(--player); }
.whisker { stroke: var(--text); stroke-width: 1.5; }
.p0 { --player: #0072b2; } .p1 { --player: #e69f00; } .p2 { --player: #009e73; } .p3 { --player: #cc79a7; }
.p4 { --player: #56b4e9; } .p5 { --player: #d55e00; } .p6 { --player: #8a6d00; } .p7 { --player: #8a8f98; }`;

const WIDTH = 520;
const MARGIN = 10;
const LINE = 16;
/** Places of names of curves in a row. */
const COLUMNS = 3;

/** A figure as a file of its own: title, names of its curves, then the plot as on the page. */
export function experimentPicture(figure: ExperimentFigure): string {
  const plot = experimentFigure(figure);
  const plotHeight = Number(/viewBox="0 0 [\d.]+ ([\d.]+)"/.exec(plot)?.[1] ?? 0);
  const { series, title } = figure;
  const names = series.length > 1 ? series : [];
  const entries = names.map(({ label }, index) => {
    const x = MARGIN + (index % COLUMNS) * (WIDTH / COLUMNS);
    const y = 36 + Math.floor(index / COLUMNS) * LINE;
    return `<rect class="bar ${playerClass(index)}" x="${n(x)}" y="${n(y - 8)}" width="18" height="4"/><text class="name" x="${n(x + 24)}" y="${n(y)}">${escapeHtml(label)}</text>`;
  });
  const top = 28 + Math.ceil(names.length / COLUMNS) * LINE;
  const height = top + plotHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${n(height)}" viewBox="0 0 ${WIDTH} ${n(height)}">
<style>${STYLE}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text class="title" x="${MARGIN}" y="18">${escapeHtml(title)}</text>
${entries.join('\n')}
${plot.replace('<svg ', `<svg y="${top}" width="${WIDTH}" height="${n(plotHeight)}" `)}
</svg>
`;
}
