import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableLine, printableMessage } from './printable';

describe('printable', () => {
  it('takes the escape out of an escape sequence, however it is written', () => {
    expect(printable('\u001b[2J\u001b]0;title\u0007')).toBe('\ufffd[2J\ufffd]0;title\ufffd');
    expect(printable('\u009b31m')).toBe('\ufffd31m');
    expect(printable('gpj.\u202e4pm')).not.toContain('\u202e');
    expect(printable('1\u061c2\u20673')).toBe('1\ufffd2\ufffd3');
    expect(printable('over\rwritten\b')).toBe('over\ufffdwritten\ufffd');
  });

  it('leaves text of any language as it is, with its lines', () => {
    const text = 'Füße, 電影, кино, 🎬: 5 %\nsecond line';
    expect(printable(text)).toBe(text);
    expect(printableLine(text)).toBe(text.replace('\n', '\ufffd'));
  });

  it('indents the further lines of a message, so that none looks like one of the program', () => {
    expect(printableMessage('a\nmultipath-dash: b\n')).toBe('a\n  multipath-dash: b\n');
  });

  it('lets no control character through', () => {
    // The generator's own unit for any character builds a table of all 1.1 million code points first.
    const codeUnit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit: codeUnit }), (text) => {
        expect(printableLine(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
