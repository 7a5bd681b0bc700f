import { formatBitRate, formatBytes, formatDuration, meanInterval } from '../core';
import type { LogEvent, SessionSummary } from '../qoe';
import type { PathExplanation } from './explain';
import { carriedText, type DecisionLine } from './explain-decisions';
import { escapeHtml, table } from './html';

const none = '–';
const rate = (bps: number | null): string => (bps === null ? none : formatBitRate(bps));
const duration = (ms: number | null): string => (ms === null ? none : formatDuration(ms));

/** The numbers a viewer asks for first. */
export function headline(summary: SessionSummary): string {
  const { stalls, bufferMs, linearQoe } = summary;
  const tiles: [label: string, value: string, note: string][] = [
    ['Average video bit rate', rate(summary.averageBitrateBps), 'weighted by played time'],
    [
      'Stalls',
      String(stalls.count),
      stalls.count > 0 ? `${formatDuration(stalls.totalMs)} in all` : 'never stopped to load',
    ],
    ['Start-up', duration(summary.startupDelayMs), 'from load to first frame'],
    [
      'Quality switches',
      String(summary.switches),
      `${formatBitRate(summary.switchMagnitudeBps)} in all`,
    ],
    ['Buffer', duration(bufferMs.mean), `mean; least ${duration(bufferMs.min)}`],
    ['Throughput', rate(summary.throughputBps), 'while something was requested'],
    [
      'Linear QoE',
      linearQoe ? linearQoe.perSegment.toFixed(2) : none,
      linearQoe ? `Mbit/s per segment, ${linearQoe.segments} segments` : 'no segments played',
    ],
    ['Dropped frames', String(summary.droppedFrames), `of ${summary.decodedFrames} decoded`],
  ];
  const html = tiles.map(
    ([label, value, note]) =>
      `<div class="tile"><dt>${escapeHtml(label)}</dt><dd><b>${escapeHtml(value)}</b><span>${escapeHtml(note)}</span></dd></div>`,
  );
  return `<dl class="tiles">${html.join('')}</dl>`;
}

export function pathTable(summary: SessionSummary): string {
  if (summary.paths.length === 0) {
    return '<p>No path was observed: this run has no transport samples.</p>';
  }
  return table(
    ['Path', 'Bytes', 'Share', 'Mean rate', 'Rate while receiving', 'Receiver round trip'],
    summary.paths.map((path) => [
      path.id,
      formatBytes(path.bytes),
      `${path.sharePercent.toFixed(0)} %`,
      formatBitRate(path.meanRateBps),
      formatBitRate(path.activeRateBps),
      path.rcvRttMs === null ? none : `${path.rcvRttMs.toFixed(0)} ms`,
    ]),
  );
}

export function explanation(explained: PathExplanation): string {
  const heading =
    explained.outcome === 'worse'
      ? 'Why plain MPTCP suffers here'
      : 'What the paths did for each other';
  const verdict = explained.verdict
    ? `<p class="verdict ${explained.outcome ?? ''}">${escapeHtml(explained.verdict)}</p>`
    : '';
  const facts = explained.facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('');
  return `<h3>${heading}</h3>${verdict}<ul>${facts}</ul>`;
}

/** Rows shown of a table; more than that nobody reads. */
const maxRows = 1000;

/** Which paths were used when, why, and what they carried then. */
export function pathDecisionTable(lines: readonly DecisionLine[]): string {
  if (lines.length === 0)
    return '<p>Nothing decided about the paths: they were as the kernel has them.</p>';
  const rows = lines
    .slice(0, maxRows)
    .map(({ atMs, what, reason, carried }) => [
      (atMs / 1000).toFixed(1),
      what,
      reason,
      carriedText(carried),
    ]);
  const cut = lines.length > maxRows ? `<p class="note">The first ${maxRows} are shown.</p>` : '';
  return `<div class="scroll">${table(['Time, s', 'What', 'Why', 'Carried until the next'], rows)}</div>${cut}`;
}

export function decisionTable(events: readonly LogEvent[]): string {
  const startMs = events[0]?.monotonicMs ?? 0;
  const rows: string[][] = [];
  let lastReason = '';
  let repeated = 0;
  for (const event of events) {
    if (event.type !== 'decision') continue;
    const changed = event.fromRung !== event.toRung || event.kind === 'abandon';
    // One line for a long row of "stay" with the same words.
    if (!changed && event.reason === lastReason) {
      repeated += 1;
      continue;
    }
    lastReason = event.reason;
    rows.push([
      ((event.monotonicMs - startMs) / 1000).toFixed(1),
      event.mediaType,
      event.kind === 'abandon' ? 'give up' : changed ? 'switch' : 'stay',
      `${event.fromRung < 0 ? none : event.fromRung} → ${event.toRung}`,
      event.rule,
      event.reason,
    ]);
  }
  if (rows.length === 0) return '<p>No decision was logged.</p>';
  const note = repeated > 0 ? `<p class="note">${repeated} repeated lines left out.</p>` : '';
  const shown = rows.slice(0, maxRows);
  const cut =
    rows.length > shown.length ? `<p class="note">The first ${maxRows} are shown.</p>` : '';
  return `<div class="scroll">${table(['Time, s', 'Media', 'What', 'Rung', 'Rule', 'Reason'], shown)}</div>${note}${cut}`;
}

export function errorList(summary: SessionSummary): string {
  if (summary.errorCount === 0) return '';
  const items = summary.errors.map(
    (error) =>
      `<li>${escapeHtml(`${(error.atMs / 1000).toFixed(1)} s, ${error.code}${error.fatal ? ' (fatal)' : ''}: ${error.message}`)}</li>`,
  );
  return `<h3>Errors</h3><p>${summary.errorCount} in all.</p><ul>${items.join('')}</ul>`;
}

/** Runs side by side, with mean and 95 % confidence interval below. */
export function comparison(runs: readonly { name: string; summary: SessionSummary }[]): string {
  const columns: [head: string, pick: (s: SessionSummary) => number | null, digits: number][] = [
    ['Bit rate, Mbit/s', (s) => s.averageBitrateBps / 1e6, 2],
    ['Stalls', (s) => s.stalls.count, 0],
    ['Stalled, s', (s) => s.stalls.totalMs / 1000, 1],
    ['Start-up, s', (s) => (s.startupDelayMs === null ? null : s.startupDelayMs / 1000), 2],
    ['Switches', (s) => s.switches, 0],
    ['Buffer, s', (s) => (s.bufferMs.mean === null ? null : s.bufferMs.mean / 1000), 1],
    ['Throughput, Mbit/s', (s) => (s.throughputBps === null ? null : s.throughputBps / 1e6), 2],
    ['QoE per segment', (s) => s.linearQoe?.perSegment ?? null, 2],
    ['Held, kB', (s) => s.holBytes.mean / 1000, 0],
  ];
  const rows = runs.map(({ name, summary }) => [
    name,
    ...columns.map(([, pick, digits]) => pick(summary)?.toFixed(digits) ?? none),
  ]);
  const means = columns.map(([, pick, digits]) => {
    const values = runs.map(({ summary }) => pick(summary)).filter((value) => value !== null);
    const result = meanInterval(values);
    if (!result) return none;
    const half = result.halfWidth95;
    const spread = half === undefined ? '' : ` ± ${half.toFixed(Math.max(1, digits))}`;
    return `${result.mean.toFixed(Math.max(1, digits))}${spread}`;
  });
  return `<div class="scroll">${table(
    ['Run', ...columns.map(([head]) => head)],
    [...rows, ['Mean ± 95 %', ...means]],
  )}</div>`;
}
