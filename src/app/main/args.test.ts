import { describe, expect, it } from 'vitest';
import { ArgsError, ownArguments, parseAppArgs } from './args';

describe('ownArguments', () => {
  it('leaves out the runtime, its switches and the app folder', () => {
    const argv = [
      '/opt/electron',
      '--no-sandbox',
      '-r',
      '/tmp/hook.js',
      '/srv/app/',
      'a.mpd',
      '--x',
    ];
    expect(ownArguments(argv, '/srv/app')).toEqual(['a.mpd', '--x']);
  });

  it('takes everything of a packaged app', () => {
    expect(ownArguments(['/opt/multipath-dash', 'a.mpd'])).toEqual(['a.mpd']);
  });
});

describe('parseAppArgs', () => {
  it('reads every option', () => {
    const args = ['a/b.mpd', '--abr', 'dynamic', '--log-dir=logs', '--seconds', '1.5'];
    expect(parseAppArgs([...args, '--json', 'out.json', '--no-mptcp'], '/home/me')).toEqual({
      source: { kind: 'file', path: '/home/me/a/b.mpd' },
      abr: 'dynamic',
      logDir: '/home/me/logs',
      seconds: 1.5,
      jsonFile: '/home/me/out.json',
      mptcp: false,
      decision: {
        correction: true,
        networks: [],
        pathControl: true,
        foreignEndpoints: 'keep',
      },
      help: false,
    });
  });

  it('reads how to decide about paths', () => {
    const args = ['--policy', 'path-use-decision', '--policy-config={"rho":0.5}', '--buffer', '4'];
    const more = ['--policy-set', 'rho=0.7', '--metered', 'wwan0=2GB', '--metered', 'usb0'];
    const switches = ['--no-path-control', '--no-correction', '--foreign-endpoints', 'suspend'];
    expect(parseAppArgs([...args, ...more, ...switches], '/').decision).toEqual({
      correction: false,
      policy: 'path-use-decision',
      policyConfig: { rho: 0.7 },
      networks: [
        { network: 'wwan0', metered: true, budgetBytes: 2e9 },
        { network: 'usb0', metered: true },
      ],
      bufferTargetMs: 4000,
      pathControl: false,
      foreignEndpoints: 'suspend',
    });
  });

  it('keeps a URL as it was given and ignores what is for Chromium', () => {
    const args = ['--no-sandbox', '--disable-gpu', 'HTTPS://example.org/x.mpd?y=1'];
    expect(parseAppArgs(args, '/').source).toEqual({
      kind: 'url',
      url: 'HTTPS://example.org/x.mpd?y=1',
    });
  });

  it.each([
    [['--seconds', '0'], /--seconds 0: expected/],
    [['--seconds', 'soon'], /--seconds soon/],
    [['--seconds='], /--seconds/],
    [['--sceonds', '3'], /--sceonds/],
    [['a.mpd', 'b.mpd'], /b\.mpd: only one/],
    [['ftp://example.org/a.mpd'], /only http, https and files/],
    [['--log-dir'], /log-dir/],
    [['--policy', 'nonsense'], /--policy: .*nonsense/],
    [['--policy', 'path-use-decision', '--policy-set', 'rho=9'], /--policy: .*rho/],
    [['--policy-set', 'rho=0.5'], /need --policy/],
    [['--policy', 'all', '--policy-config', '[]'], /--policy-config \[\]: expected a JSON object/],
    [['--metered', 'a b'], /--metered a b: expected NETWORK/],
    [['--buffer', '0'], /--buffer 0: expected 1 to 600/],
    [['--foreign-endpoints', 'eat'], /expected keep or suspend/],
  ])('refuses %j', (args, message) => {
    expect(() => parseAppArgs(args, '/')).toThrow(ArgsError);
    expect(() => parseAppArgs(args, '/')).toThrow(message);
  });
});
