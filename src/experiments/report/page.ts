import {
  escapeHtml,
  table,
  htmlPage,
  type ReportAssets,
  PAPER_STYLE,
  playerLegend,
} from '../../report';
import { experimentFigure } from './svg';
import { bannerOf, claimsText, claimsTexts, claimsTitle, runLines, tableTexts } from './text';
import type { ExperimentFigure, ExperimentReport, ExperimentTable, ExperimentRun } from './types';

/** Style in addition to that of all pages about papers. */
const STYLE = `${PAPER_STYLE}
.banner { margin: 8px 0; padding: 10px 14px; border: 2px solid var(--worse); border-radius: 8px; color: var(--worse); font-weight: 600; }
figure .players svg { display: inline-block; width: 26px; height: 10px; }
svg .whisker { stroke: var(--text); stroke-width: 1.5; }
td { white-space: nowrap; }
`;

const note = (text: string): string =>
  text === '' ? '' : `<p class="note">${escapeHtml(text)}</p>`;

function tableHtml(one: ExperimentTable): string {
  const { head, rows } = tableTexts(one);
  return `<h3>${escapeHtml(one.title)}</h3>${note(one.note)}<div class="scroll">${table(head, rows)}</div>`;
}

function figureHtml(figure: ExperimentFigure): string {
  const { title, series } = figure;
  const legend = series.length > 1 ? playerLegend(series.map(({ label }) => label)) : '';
  return `<figure><h3>${escapeHtml(title)}</h3>${legend}${experimentFigure(figure)}${note(figure.note)}</figure>`;
}

function claimSection(report: ExperimentReport): string {
  if (report.claims.length === 0) return '';
  const { head, rows } = claimsTexts(report);
  return `<h2>${claimsTitle(report)}</h2>
<p class="lead">${escapeHtml(claimsText(report))}</p>
<div class="scroll claims">${table(head, rows)}</div>`;
}

const section = (heading: string, body: string): string =>
  body === '' ? '' : `<section><h2>${heading}</h2>${body}</section>`;

/**
 * A simulated experiment as one self-contained HTML page: the paper's statements, tables, figures.
 * @throws RangeError on a malformed nonce
 */
export function renderExperiment(
  report: ExperimentReport,
  run: ExperimentRun,
  assets: Omit<ReportAssets, 'clientJs'>,
): string {
  const { name, title, paper, method, tables, figures } = report;
  const hasIntervals = 'Mean over the trials and, in brackets, its 95 % confidence interval.';
  const body = `<section>
<p class="banner" role="note">${escapeHtml(bannerOf(report))}</p>
${[paper === '' ? '' : `The paper: “${paper}”.`, ...runLines(run, report)].map(note).join('\n')}
${method.length === 0 ? '' : `<ul>${method.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`}
${claimSection(report)}
</section>
${section('Tables', tables.length === 0 ? '' : `${note(hasIntervals)}${tables.map(tableHtml).join('')}`)}
${section('Figures', figures.length === 0 ? '' : `<div class="figures">${figures.map(figureHtml).join('')}</div>`)}`;
  const whole = { ...assets, clientJs: '', clientCss: `${assets.clientCss}${STYLE}` };
  return htmlPage(
    `${title} (${report.simulated ? 'simulated' : 'measured'})`,
    body,
    { id: 'experiment', value: { name, run } },
    whole,
  );
}
