import { describe, expect, it } from 'vitest';
import { ownArguments, parseAppArgs } from '../app/main/args';
import { electronArguments } from './app';

describe('electronArguments', () => {
  it('is understood by the app as it was meant', () => {
    const options = {
      abr: 'bola',
      logDir: '/l',
      seconds: 5,
      json: '/j.json',
      mptcp: false,
      correction: false,
      decision: {
        policy: 'path-use-decision',
        policyConfig: { rho: 0.5 },
        networks: [{ network: 'lte', metered: true, budgetBytes: 1e7 }],
        bufferTargetMs: 2500,
        pathControl: false,
        foreignEndpoints: 'suspend' as const,
      },
    };
    const args = electronArguments('/pkg', 'x.mpd', options, true);
    expect(parseAppArgs(ownArguments(['/electron', ...args], '/pkg'), '/home')).toEqual({
      source: { kind: 'file', path: '/home/x.mpd' },
      abr: 'bola',
      logDir: '/l',
      seconds: 5,
      jsonFile: '/j.json',
      mptcp: false,
      decision: { correction: false, ...options.decision },
      help: false,
    });
  });

  it('turns the sandbox off for root only', () => {
    expect(electronArguments('/pkg', undefined, { mptcp: true }, true)).toContain('--no-sandbox');
    expect(electronArguments('/pkg', undefined, { mptcp: true }, false)).not.toContain(
      '--no-sandbox',
    );
  });
});
