import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { batch, connection, subflow } from '../../core/testing/samples';
import { LiveState } from './live-state';
import { liveLines, LiveView } from './live-view';

function playing(): LiveState {
  const live = new LiveState();
  for (const ms of [0, 1000]) {
    const sample = batch(ms, [connection([subflow('path1', ms * 250)])]);
    live.observe({ type: 'samples', monotonicMs: ms, batch: sample });
  }
  live.observe({
    type: 'player',
    monotonicMs: 1000,
    positionMs: 900,
    bufferMs: 4200,
    playing: true,
    rung: 3,
    bitrateBps: 1_800_000,
    decodedFrames: 20,
    droppedFrames: 0,
  });
  return live;
}

/** A stream that records its output, as a terminal of this width or as a file. */
function output(columns?: number): { out: NodeJS.WriteStream; text: () => string } {
  const stream = new PassThrough();
  const out = Object.assign(stream, columns === undefined ? {} : { isTTY: true, columns });
  return {
    out: out as unknown as NodeJS.WriteStream,
    text: () => String(stream.read() ?? ''),
  };
}

describe('liveLines', () => {
  it('shows one line per path and one of the player', () => {
    const lines = liveLines(playing(), 1000);
    expect(lines[0]).toMatch(/path1 +active +2\.00 Mbit\/s +rcv_rtt +30 ms +share +100 %/);
    expect(lines[1]).toMatch(/rung 3 \(1\.80 Mbit\/s\) +buffer 4\.2 s +stalls 0 \(0\.0 s\)/);
  });

  it('names an error, and only then', () => {
    const live = playing();
    live.observe({ type: 'status', monotonicMs: 0, status: { state: 'multipath', reason: 'two' } });
    expect(liveLines(live, 0).join()).not.toMatch(/transport|problem/);
    live.observe({ type: 'status', monotonicMs: 0, status: { state: 'fallback', reason: 'cut' } });
    live.observe({ type: 'error', monotonicMs: 0, code: 'X', message: 'a 404', fatal: false });
    expect(liveLines(live, 0).join('\n')).toMatch(/transport +cut\n +problem +a 404/);
  });
});

describe('LiveView', () => {
  it('redraws in place on a terminal, within its width', () => {
    const { out, text } = output(20);
    const view = new LiveView(out, playing());
    view.draw(0);
    const count = text().trimEnd().split('\n').length;
    view.draw(1000);
    const again = text();
    expect(again.startsWith(`\u001b[${count}A`)).toBe(true);
    const visible = stripVTControlCharacters(again).split('\n');
    expect(Math.max(...visible.map((line) => line.length))).toBe(20);
  });

  it('draws on a terminal of unknown size', () => {
    const { out, text } = output(0);
    new LiveView(out, playing()).draw(0);
    expect(text()).toContain('path1');
  });

  it('appends at an interval if it cannot redraw', () => {
    const { out, text } = output();
    const view = new LiveView(out, playing(), 5000);
    view.draw(0);
    expect(text()).toContain('path1');
    view.draw(4000);
    expect(text()).toBe('');
    view.draw(5000);
    expect(text()).not.toContain('\u001b');
  });
});
