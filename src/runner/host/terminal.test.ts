import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createSummary } from '../../qoe';
import { LiveState } from '../session/live-state';
import { LiveView } from '../session/live-view';
import { summaryLines } from './output';
import { jsonText, print, shellWord } from './terminal';

/** Clears the screen, sets the title, and injects input if the terminal answers. */
const ATTACK = 'x\u001b[2J\u001b]0;owned\u0007\u009b5n\u202e';

const collect = () => {
  const out = new PassThrough();
  return { out, text: () => String(out.read() ?? '') };
};

// eslint-disable-next-line no-control-regex -- the line feeds are ours
const commands = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

describe('text from a manifest', () => {
  it('sends no control sequence through the live view', () => {
    const live = new LiveState();
    live.observe({ type: 'error', monotonicMs: 0, code: 'X', message: ATTACK, fatal: false });
    const { out, text } = collect();
    new LiveView(out as unknown as NodeJS.WriteStream, live).draw(0);
    const shown = text();
    expect(shown).toContain('owned');
    expect(shown).not.toMatch(commands);
  });

  it('sends no control sequence through the summary', () => {
    const summary = createSummary();
    summary.add({ type: 'error', monotonicMs: 0, code: 'X', message: ATTACK, fatal: false });
    const { out, text } = collect();
    print(out, `${summaryLines(summary.finish()).join('\n')}\n`);
    const shown = text();
    expect(shown).toContain('owned');
    expect(shown).not.toMatch(commands);
  });

  it('begins no line of its own in the summary', () => {
    const summary = createSummary();
    const message = 'x\nmultipath-dash: run this';
    summary.add({ type: 'error', monotonicMs: 0, code: 'X', message, fatal: false });
    expect(summaryLines(summary.finish()).filter((line) => /^\S|\n/.test(line))).toEqual([]);
  });

  it('is complete in JSON, without control characters', () => {
    const text = jsonText({ message: ATTACK }, 2);
    expect(text).not.toMatch(/[\u007f-\u009f]/);
    expect(JSON.parse(text)).toEqual({ message: ATTACK });
  });
});

it('a word for a shell is quoted where the shell would change it', () => {
  expect(['runs/2026-01-31', 'my runs', "it's", ''].map(shellWord)).toEqual([
    'runs/2026-01-31',
    "'my runs'",
    String.raw`'it'\''s'`,
    "''",
  ]);
});
