import { formatBitRate, formatBytes, formatDuration, formatSeconds } from '../core';
import { estimate } from './results/estimate';
import type { LogEvent } from '../session-log';
import type { RangeBytes, SessionSummary } from '../qoe';
import type { PathExplanation } from './explain';
import { carriedText, type DecisionLine } from './explain-decisions';
import { escapeHtml, table } from './html';

const NONE = '–';
const rate = (bps: number | null): string => (bps === null ? NONE : formatBitRate(bps));
const duration = (ms: number | null): string => (ms === null ? NONE : formatDuration(ms));

/** The most important numbers for a viewer. */
export function headline(summary: SessionSummary): string {
  const { stalls, bufferMs, linearQoe, liveLatencyMs } = summary;
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
      linearQoe ? linearQoe.perSegment.toFixed(2) : NONE,
      linearQoe ? `Mbit/s per segment, ${linearQoe.segments} segments` : 'no segments played',
    ],
    ...(liveLatencyMs
      ? [
          ['Live latency', duration(liveLatencyMs.mean), 'mean while playing'] as [
            string,
            string,
            string,
          ],
        ]
      : []),
    ['Dropped frames', String(summary.droppedFrames), `of ${summary.decodedFrames} decoded`],
  ];
  const html = tiles.map(
    ([label, value, note]) =>
      `<div class="tile"><dt>${escapeHtml(label)}</dt><dd><b>${escapeHtml(value)}</b><span>${escapeHtml(note)}</span></dd></div>`,
  );
  return `<dl class="tiles">${html.join('')}</dl>`;
}

/** The percentiles shown, as indices into steps of 5 %. */
const LATENCY_PERCENTILES = [0, 1, 5, 10, 15, 19, 20];

/** The distribution of the live latency. */
export function latencyTable({ percentiles }: { percentiles: readonly number[] }): string {
  return table(
    ['Share of the time', ...LATENCY_PERCENTILES.map((step) => `${step * 5} %`)],
    [
      [
        'Latency at most',
        ...LATENCY_PERCENTILES.map((step) => duration(percentiles[step] ?? null)),
      ],
    ],
  );
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
      path.rcvRttMs === null ? NONE : `${path.rcvRttMs.toFixed(0)} ms`,
    ]),
  );
}

/** The carriage of the media, with the counters of each network. Empty without an agent. */
export function carriageTable({ carriage, rangeBytes }: SessionSummary): string {
  if (carriage === null) return '';
  const words = {
    mptcp: 'MPTCP',
    ranges: 'byte ranges over several networks',
    single: 'one network',
  };
  const line = `<p class="note">${escapeHtml(`At the end: ${words[carriage.carriage]}. ${carriage.reason}`)}</p>`;
  const used = carriage.networks.filter(({ requests, outReason }) => requests > 0 || outReason);
  if (used.length === 0) return line;
  const rows = used.map((one) => [
    one.networkId,
    String(one.requests),
    `${one.failed} / ${one.cancelled}`,
    formatBytes(one.receivedBytes),
    formatBytes(one.duplicateBytes),
    formatBytes(one.blockedBytes),
    one.outReason ?? one.health,
  ]);
  const head = ['Network', 'Requests', 'Failed / cancelled', 'Bytes', 'Fetched twice'];
  const shares =
    rangeBytes === null ? '' : `<p class="note">${escapeHtml(shareLine(rangeBytes))}</p>`;
  return `${line}<div class="scroll">${table([...head, 'Head-of-line blocked', 'State'], rows)}</div>${shares}`;
}

function shareLine({ received, twice, unread }: RangeBytes): string {
  const percent = (bytes: number): string => `${((100 * bytes) / received).toFixed(1)} %`;
  return `Of ${formatBytes(received)} in this session ${percent(twice)} came twice, and nobody read ${percent(unread)}.`;
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

/** Rows shown of a table. */
const MAX_ROWS = 1000;

/** The paths used over time, with the reason and the bytes they carried. */
export function pathDecisionTable(lines: readonly DecisionLine[]): string {
  if (lines.length === 0)
    return '<p>Nothing decided about the paths: they were as the kernel has them.</p>';
  const rows = lines
    .slice(0, MAX_ROWS)
    .map(({ atMs, what, reason, carried }) => [
      (atMs / 1000).toFixed(1),
      what,
      reason,
      carriedText(carried),
    ]);
  const cut = lines.length > MAX_ROWS ? `<p class="note">The first ${MAX_ROWS} are shown.</p>` : '';
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
      `${event.fromRung < 0 ? NONE : event.fromRung} → ${event.toRung}`,
      event.rule,
      event.reason,
    ]);
  }
  if (rows.length === 0) return '<p>No decision was logged.</p>';
  const note = repeated > 0 ? `<p class="note">${repeated} repeated lines left out.</p>` : '';
  const shown = rows.slice(0, MAX_ROWS);
  const cut =
    rows.length > shown.length ? `<p class="note">The first ${MAX_ROWS} are shown.</p>` : '';
  return `<div class="scroll">${table(['Time, s', 'Media', 'What', 'Rung', 'Rule', 'Reason'], shown)}</div>${note}${cut}`;
}

export function errorList(summary: SessionSummary): string {
  if (summary.errorCount === 0) return '';
  const items = summary.errors.map(
    (error) =>
      `<li>${escapeHtml(`${formatSeconds(error.atMs)}, ${error.code}${error.fatal ? ' (fatal)' : ''}: ${error.message}`)}</li>`,
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
    ['Out of order, kB', (s) => s.holBytes.mean / 1000, 0],
  ];
  const rows = runs.map(({ name, summary }) => [
    name,
    ...columns.map(([, pick, digits]) => pick(summary)?.toFixed(digits) ?? NONE),
  ]);
  const means = columns.map(([, pick, digits]) => {
    const values = runs.map(({ summary }) => pick(summary)).filter((value) => value !== null);
    const { mean, high } = estimate(values);
    if (mean === null) return NONE;
    const spread = high === null ? '' : ` ± ${(high - mean).toFixed(Math.max(1, digits))}`;
    return `${mean.toFixed(Math.max(1, digits))}${spread}`;
  });
  return `<div class="scroll">${table(
    ['Run', ...columns.map(([head]) => head)],
    [...rows, ['Mean ± 95 %', ...means]],
  )}</div>`;
}
