import { describe, expect, it } from 'vitest';
import { defaultRunDir } from '../host/run-dir';
import { checkCarriage, readSeconds, readSeed } from './options';

describe('options', () => {
  it('accepts playing times above zero and up to the limit', () => {
    expect(readSeconds('0.5')).toBe(0.5);
    expect(readSeconds('3570', 3570)).toBe(3570);
    for (const text of ['0', '-1', 'x', 'Infinity', '86401']) {
      expect(() => readSeconds(text)).toThrow('expected a number above 0');
    }
  });

  it('accepts whole seeds only', () => {
    expect(readSeed('0')).toBe(0);
    for (const text of ['', '-1', '1.5', '1e3', 'x', '1000000001']) {
      expect(() => readSeed(text)).toThrow('whole number');
    }
  });

  it('refuses a carriage over MPTCP without MPTCP', () => {
    const refused = { mptcp: false, carriage: 'mptcp' } as const;
    expect(() => checkCarriage(refused)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => checkCarriage({ ...refused, mptcp: true })).not.toThrow();
    expect(() => checkCarriage({ ...refused, carriage: 'auto' })).not.toThrow();
  });

  it('names runs by their time, sortable and without characters special to shells', () => {
    const name = defaultRunDir(new Date(Date.UTC(2026, 0, 2, 3, 4, 5)))
      .split('/')
      .at(-1);
    expect(name).toBe('2026-01-02T03-04-05');
  });
});
