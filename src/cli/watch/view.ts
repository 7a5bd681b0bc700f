import { printableLine } from '../../core';
import { formatEndpoint } from '../../kernel';
import type { WatchedConnection, WatchedSubflow, WatchFrame } from './model';

export interface WatchViewOptions {
  colour: boolean;
  /** Columns of the terminal. Longer lines are cut. */
  columns: number;
  /** Lines of the terminal. Undefined: shows everything. */
  rows?: number;
}

type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';
const codes: Record<Style, number> = { bold: 1, dim: 2, green: 32, yellow: 33, red: 31, cyan: 36 };

interface Span {
  text: string;
  style?: Style | undefined;
}

/** Cuts a line of styled pieces to the width and joins it. */
function line(spans: readonly Span[], options: WatchViewOptions): string {
  let left = options.columns;
  return spans
    .map(({ text, style }) => {
      const cut = printableLine(text).slice(0, left);
      left -= cut.length;
      return style && options.colour && cut !== '' ? `\u001b[${codes[style]}m${cut}\u001b[0m` : cut;
    })
    .join('');
}

const megabit = (bps: number): string => (bps / 1e6).toFixed(2);

function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1e3).toFixed(1)} kB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

const stateStyle: Record<WatchedSubflow['state'], Style | undefined> = {
  active: 'green',
  backup: 'cyan',
  connecting: 'yellow',
  closed: 'red',
};

function connectionSpans(connection: WatchedConnection): Span[] {
  const owner = connection.process;
  const notes = {
    mptcp: '',
    fallback: '  FELL BACK TO TCP',
    tcp: '  plain TCP',
    ranges: '  byte ranges',
  };
  return [
    { text: owner ? `${owner.name} (${owner.pid})` : '(no owner in sight)', style: 'bold' },
    { text: `  to ${formatEndpoint(connection.remote)}` },
    { text: `  ${megabit(connection.inOrderBps)} Mbit/s in order`, style: 'bold' },
    ...(connection.kind === 'mptcp'
      ? [{ text: `  out of order ${bytes(connection.holBytes)}` }]
      : []),
    { text: notes[connection.kind], style: connection.kind === 'fallback' ? 'red' : 'yellow' },
    { text: `  ${connection.connectionId}`, style: 'dim' },
  ];
}

/** Fixed columns: a library measures every frame anew, so the columns would jump as figures change. */
const COLUMNS =
  '  path           state       Mbit/s   share   rcv_rtt  retrans   o-o-o  local > remote';

function subflowSpans(subflow: WatchedSubflow): Span[] {
  const count = (value: number | null): string =>
    (value === null ? '-' : String(value)).padStart(7);
  const rtt = subflow.rcvRttMs === null ? '-' : `${subflow.rcvRttMs.toFixed(1)} ms`;
  return [
    { text: `  ${subflow.pathId.padEnd(14)} ` },
    { text: subflow.state.padEnd(10), style: stateStyle[subflow.state] },
    { text: ` ${megabit(subflow.rateBps).padStart(7)}` },
    { text: ` ${(subflow.share * 100).toFixed(0).padStart(5)} %` },
    {
      text: ` ${rtt.padStart(9)} ${count(subflow.retransSegments)} ${count(subflow.outOfOrderSegments)}`,
    },
    {
      text: `  ${formatEndpoint(subflow.local)} > ${formatEndpoint(subflow.remote)}`,
      style: 'dim',
    },
  ];
}

/** One frame as text lines, not more than the terminal has. */
export function watchLines(frame: WatchFrame, options: WatchViewOptions): string[] {
  const count = frame.connections.length;
  const lost = frame.lostSamples > 0 ? `  ${frame.lostSamples} samples lost` : '';
  const out: string[] = [
    line(
      [{ text: `${count} ${count === 1 ? 'connection' : 'connections'}${lost}`, style: 'bold' }],
      options,
    ),
  ];
  if (frame.problem !== null) out.push(line([{ text: frame.problem, style: 'red' }], options));
  if (count > 0) out.push(line([{ text: COLUMNS, style: 'dim' }], options));
  for (const connection of frame.connections) {
    out.push(line(connectionSpans(connection), options));
    for (const subflow of connection.subflows) out.push(line(subflowSpans(subflow), options));
  }
  if (options.rows === undefined || out.length <= options.rows) return out;
  const shown = out.slice(0, Math.max(0, options.rows - 1));
  shown.push(
    line([{ text: `... ${out.length - shown.length} more lines`, style: 'dim' }], options),
  );
  return shown;
}
