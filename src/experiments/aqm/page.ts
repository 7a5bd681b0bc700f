import { quantile } from '../../core';
import { escapeHtml, table, htmlPage, type ReportAssets, PAPER_STYLE } from '../../report';
import { delayPlot, sidesLegend, targetPlot } from './svg';
import { summaryText, verdictText } from '../report/verdict';
import { cellText, heading, originLines } from './text';
import type { AqmFigure, AqmReport, AqmTable, DelaySeries } from './types';

/** Style in addition to that of all pages about papers. */
const STYLE = `${PAPER_STYLE}
svg .target { stroke: var(--player); stroke-dasharray: 6 4; stroke-opacity: 0.8; }
figure .paper { margin: 2px 0 6px; font-size: 13px; }
`;

/**
 * The experiment as one self-contained HTML page: the paper's statements, then Figs. 2 to 13.
 * @throws RangeError on a malformed nonce
 */
export function renderAqm(report: AqmReport, assets: Omit<ReportAssets, 'clientJs'>): string {
  const { origin, claims, figures, background, delays } = report;
  const warnings = origin.warnings.map((text) => `<li>${escapeHtml(text)}</li>`).join('');
  const body = `<section>
<p class="lead">${escapeHtml(summaryText(claims))}</p>
${originLines(origin)
  .map((line) => `<p class="note">${escapeHtml(line)}</p>`)
  .join('')}
<h2>Beside the paper</h2>
<p class="note">A ratio is of FQ-PIE to PIE over pairs of trials with the same target and seed, with its 95 % confidence interval. It agrees where it is what the paper says and its interval leaves out 1, differs where the whole interval lies elsewhere; all else is undecided by these trials. A queue keeps its target where the delay of the median second is within a quarter of it, or 2 ms where that is more.</p>
<div class="scroll claims">${table(['Fig.', 'The paper says', 'Here', ''], claimRows(report))}</div>
</section>
<section>
<h2>Figures 2 to 13</h2>
<p class="note">A dot is a trial, the short line the mean, the bar its 95 % confidence interval, cut where it leaves the axis. Dashed: the target.</p>
${sidesLegend()}
<div class="figures">${figures.map(figureHtml).join('')}</div>
</section>
${delaySection(delays)}
<section>
<h2>The links and the background traffic</h2>
<p class="note">Mean over the trials and its 95 % confidence interval.</p>
<div class="scroll">${table(['', 'Target', 'PIE', 'FQ-PIE'], background.flatMap(tableRows))}</div>
${warnings === '' ? '' : `<h3>Warnings</h3><ul>${warnings}</ul>`}
</section>`;
  const whole = { ...assets, clientJs: '', clientCss: `${assets.clientCss}${STYLE}` };
  const title = 'PIE and FQ-PIE under DASH over MPTCP';
  return htmlPage(title, body, { id: 'aqm', value: report }, whole);
}

const claimRows = ({ claims }: AqmReport): string[][] =>
  claims.map((claim) => [String(claim.figure), claim.paper, claim.ours, verdictText(claim)]);

function tableRows(one: AqmTable): string[][] {
  return one.rows.map((row, index) => [
    index === 0 ? heading(one) : '',
    `${row.targetMs} ms`,
    cellText(row.pie),
    cellText(row.fqPie),
  ]);
}

function figureHtml(figure: AqmFigure): string {
  const rows = figure.rows.map(({ targetMs, pie, fqPie }) => [
    `${targetMs} ms`,
    cellText(pie),
    cellText(fqPie),
  ]);
  return `<figure><h3>Fig. ${figure.figure}: ${escapeHtml(heading(figure))}</h3>
${targetPlot(figure)}
<p class="paper"><b>The paper:</b> ${escapeHtml(figure.paper)}</p>
<div class="scroll">${table(['Target', 'PIE', 'FQ-PIE'], rows)}</div></figure>`;
}

function delaySection(delays: readonly DelaySeries[]): string {
  if (!delays.some(({ points }) => points.length > 0)) return '';
  // One scale, so that the plots are comparable; a start's peak may be cut.
  const means = delays.flatMap(({ points }) => points.flatMap(({ meanMs }) => meanMs ?? []));
  const targets = delays.map(({ targetMs }) => targetMs);
  const largestMs = Math.max(1.1 * (quantile(means, 0.98) ?? 0), ...targets);
  const plots = [12, 13].flatMap((figure) =>
    (['pie', 'fq-pie'] as const).map((discipline) => {
      const series = delays.filter((one) => one.figure === figure && one.discipline === discipline);
      const label = `Fig. ${figure}, ${discipline === 'pie' ? 'PIE' : 'FQ-PIE'}: queue delay (ms), ${figure === 12 ? 'R1 to R3' : 'R2 to R4'}`;
      return `<figure><h3>${label}</h3>${delayPlot(series, largestMs, label)}</figure>`;
    }),
  );
  return `<section>
<h2>Figures 12 and 13 over time</h2>
<p class="note">Mean over the trials in each second of the session, with its 95 % confidence interval; dashed, the targets. Peaks above the axis are cut.</p>
<div class="figures">${plots.join('')}</div>
</section>`;
}
