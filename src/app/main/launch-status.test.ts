import { describe, expect, it } from 'vitest';
import { explainStatus } from './launch-status';

const plain = { state: 'plain-tcp', reason: 'sockets are TCP' } as const;

describe('explainStatus', () => {
  it('says why the app speaks plain TCP', () => {
    const launch = { state: 'no-mptcpize', reason: 'install it' } as const;
    expect(explainStatus(plain, launch)).toEqual({ state: 'plain-tcp', reason: 'install it' });
    expect(explainStatus({ state: 'idle', reason: '' }, launch).reason).toBe('install it');
  });

  it('leaves what the sockets say when the app did its part', () => {
    const launch = { state: 'preloaded', reason: 'fine' } as const;
    expect(explainStatus(plain, launch)).toBe(plain);
  });

  it('reports a machine without MPTCP as disabled', () => {
    const launch = { state: 'disabled', reason: 'run sysctl' } as const;
    expect(explainStatus(plain, launch)).toEqual({ state: 'disabled', reason: 'run sysctl' });
  });

  it('does not hide that statistics cannot be had', () => {
    const status = { state: 'unobservable', reason: 'kernel refuses' } as const;
    expect(explainStatus(status, { state: 'off', reason: 'off' })).toBe(status);
  });
});
