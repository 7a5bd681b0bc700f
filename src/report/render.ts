import { formatDuration } from '../core';
import type { LogEvent } from '../session-log';
import type { SessionSummary } from '../qoe';
import { explainPaths } from './explain';
import { explainDecisions } from './explain-decisions';
import { escapeHtml } from './html';
import { htmlPage, type ReportAssets } from './page';
import { DATA_ELEMENT_ID } from './report-data';
import { runData } from './run-data';
import {
  carriageTable,
  comparison,
  decisionTable,
  errorList,
  explanation,
  headline,
  latencyTable,
  pathDecisionTable,
  pathTable,
} from './sections';

export interface ReportRun {
  name: string;
  events: readonly LogEvent[];
  summary: SessionSummary;
}

/** One self-contained HTML page about one or several sessions. Throws RangeError on a malformed nonce. */
export function renderReport(runs: readonly ReportRun[], assets: ReportAssets): string {
  const title =
    runs.length === 1
      ? `Session report: ${runs[0]?.name ?? ''}`
      : `Report of ${runs.length} sessions`;
  const several =
    runs.length > 1 ? `<section><h2>Comparison</h2>${comparison(runs)}</section>` : '';
  const body = `${several}\n${runs.map(renderRun).join('\n')}`;
  const value = runs.map((run) => runData(run.events));
  return htmlPage(title, body, { id: DATA_ELEMENT_ID, value }, assets);
}

function renderRun(run: ReportRun, index: number): string {
  const { summary, events } = run;
  const end = summary.complete
    ? `ended: ${summary.endReason ?? ''}`
    : 'the log was cut off; figures go as far as it does';
  const transport = summary.transport
    ? `Transport: ${summary.transport.last.state}. ${summary.transport.last.reason}`
    : 'Transport: not observed.';
  const facts = [
    summary.player ?? 'unknown player',
    summary.startedAt ?? 'unknown start',
    `${formatDuration(summary.sessionMs)} logged, ${formatDuration(summary.playedMs)} played`,
    end,
  ];
  const chart = (kind: string, heading: string, note: string): string =>
    `<h3>${heading}</h3><p class="note">${note}</p><div class="chart" data-run="${index}" data-chart="${kind}" role="img" aria-label="${escapeHtml(heading)}"></div>`;
  return `<section>
<h2>${escapeHtml(run.name)}</h2>
<p class="note">${escapeHtml(facts.join(' · '))}</p>
<p class="note">${escapeHtml(transport)}</p>
${headline(summary)}
${explanation(explainPaths(events, summary))}
${chart('rates', 'Rate of each path against the picture', 'Areas: what each path delivered, stacked. Line: bit rate on screen. Red bands: stalls. Dashed: path events. Drag to zoom, double-click to go back.')}
${chart('buffer', 'Buffer', 'Seconds of media in hand. At zero the picture stops.')}
${summary.liveLatencyMs ? chart('latency', 'Live latency', 'Distance of the picture from the live edge.') + latencyTable(summary.liveLatencyMs) : ''}
${chart('requests', 'Requests', 'One bar per segment, from request to last byte, at its place in the film; pale: waiting for the first byte. The line is the picture on screen: bars that touch it came too late.')}
${chart('out-of-order', 'Bytes that waited for another path', 'Received, but useless until an earlier byte arrives on another path (head-of-line blocking; reinjected duplicates count for up to 10 s).')}
<h3>Paths</h3>
<div class="scroll">${pathTable(summary)}</div>
${carriageTable(summary)}
${errorList(summary)}
<h3>Which paths, and why</h3>
${pathDecisionTable(explainDecisions(events))}
<h3>Decisions on the bit rate</h3>
${decisionTable(events)}
</section>`;
}
