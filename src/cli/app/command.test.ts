import { describe, expect, it } from 'vitest';
import { ownArguments, parseAppArgs } from '../../app/main/args';
import { electronArguments } from './command';

describe('electronArguments', () => {
  it('match the app’s own parser', () => {
    const options = {
      abr: 'bola',
      logDir: '/l',
      logFormat: 'plain' as const,
      keepLogs: 2e9,
      seconds: 5,
      json: '/j.json',
      mptcp: false,
      carriage: 'ranges' as const,
      correction: false,
      media: {
        audioLanguage: 'de',
        textRole: 'caption',
        keys: { ['0'.repeat(32)]: 'a'.repeat(32) },
      },
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
      logFormat: 'plain',
      keptLogBytes: 2e9,
      seconds: 5,
      jsonFile: '/j.json',
      mptcp: false,
      carriage: 'ranges',
      decision: { correction: false, ...options.decision },
      media: options.media,
      help: false,
      version: false,
    });
  });

  it('disables the sandbox for root only', () => {
    expect(electronArguments('/pkg', undefined, { mptcp: true }, true)).toContain('--no-sandbox');
    expect(electronArguments('/pkg', undefined, { mptcp: true }, false)).not.toContain(
      '--no-sandbox',
    );
  });
});
