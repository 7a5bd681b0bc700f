import { describe, expect, it } from 'vitest';
import { explainStatus } from './launch-status';

const plain = { state: 'plain-tcp', reason: 'sockets are TCP' } as const;

describe('explainStatus', () => {
  it('gives the reason for plain TCP', () => {
    const launch = { state: 'no-mptcpize', reason: 'install it' } as const;
    expect(explainStatus(plain, launch)).toEqual({ state: 'plain-tcp', reason: 'install it' });
    expect(explainStatus({ state: 'idle', reason: '' }, launch).reason).toBe('install it');
  });

  it('keeps the status of the sockets if the app was launched under MPTCP', () => {
    const launch = { state: 'preloaded', reason: 'fine' } as const;
    expect(explainStatus(plain, launch)).toBe(plain);
  });

  it('reports a machine without MPTCP as disabled', () => {
    const launch = { state: 'disabled', reason: 'run sysctl' } as const;
    expect(explainStatus(plain, launch)).toEqual({ state: 'disabled', reason: 'run sysctl' });
  });

  it('does not hide missing statistics', () => {
    const status = { state: 'unobservable', reason: 'kernel refuses' } as const;
    expect(explainStatus(status, { state: 'off', reason: 'off' })).toBe(status);
  });
});
