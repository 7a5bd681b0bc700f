import { printableLine, formatShare } from '../../core';
import type { LiveState } from './live-state';
import { terminalSize } from '../host/terminal-size';

const megabit = (bps: number): string => (bps / 1e6).toFixed(2).padStart(6);
const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/**
 * The terminal's view of a session: one line per path, then the player, then errors. Its columns are fixed, because a
 * table library measures every frame anew and they would jump as figures change.
 */
export function liveLines(live: LiveState, elapsedMs: number): string[] {
  const paths = live.livePaths().map((path) => {
    const rtt =
      path.rcvRttMs === undefined ? '     -' : `${path.rcvRttMs.toFixed(0)} ms`.padStart(6);
    const share = formatShare(path.share).padStart(5);
    return `  ${path.pathId.padEnd(14)} ${path.state.padEnd(10)} ${megabit(path.rateBps)} Mbit/s  rcv_rtt ${rtt}  share ${share}`;
  });
  const player = live.player;
  const rung =
    player === undefined || player.rung < 0
      ? 'starting'
      : `rung ${player.rung} (${(player.bitrateBps / 1e6).toFixed(2)} Mbit/s)`;
  const latency =
    player?.liveLatencyMs === undefined ? '' : `  latency ${seconds(player.liveLatencyMs)} s`;
  const state =
    `  player         ${rung}  buffer ${seconds(player?.bufferMs ?? 0)} s${latency}` +
    `  stalls ${live.stalls.count} (${seconds(live.stalls.totalMs)} s)  at ${seconds(elapsedMs)} s`;
  return [
    ...paths,
    state,
    ...(live.reason === '' ? [] : [`  decision       ${live.reason}`]),
    ...(live.status.state === 'multipath' ? [] : [`  transport      ${live.status.reason}`]),
    ...(live.lastError === '' ? [] : [`  problem        ${live.lastError}`]),
  ];
}

/** Draws the lines in place on a terminal. Elsewhere it appends them at an interval. */
export class LiveView {
  #drawnLines = 0;
  #lastAppendMs = -Infinity;

  readonly #appendEveryMs: number;
  readonly #live: LiveState;
  readonly #out: NodeJS.WriteStream;

  constructor(out: NodeJS.WriteStream, live: LiveState, appendEveryMs = 5000) {
    this.#appendEveryMs = appendEveryMs;
    this.#live = live;
    this.#out = out;
  }

  draw(elapsedMs: number): void {
    if (!this.#out.isTTY) {
      if (elapsedMs - this.#lastAppendMs < this.#appendEveryMs) return;
      this.#lastAppendMs = elapsedMs;
      this.#out.write(`${liveLines(this.#live, elapsedMs).map(printableLine).join('\n')}\n`);
      return;
    }
    const width = terminalSize(this.#out).columns;
    const lines = liveLines(this.#live, elapsedMs).map((line) =>
      printableLine(line).slice(0, width),
    );
    const up = this.#drawnLines > 0 ? `\u001b[${this.#drawnLines}A` : '';
    this.#out.write(`${up}\u001b[J${lines.join('\n')}\n`);
    this.#drawnLines = lines.length;
  }
}
