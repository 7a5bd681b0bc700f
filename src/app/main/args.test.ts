import { describe, expect, it } from 'vitest';
import { ArgsError, ownArguments, parseAppArgs, problemLine } from './args';

describe('ownArguments', () => {
  it('omits the runtime, its switches and the app folder', () => {
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

  it('keeps all arguments of a packaged app', () => {
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
      logFormat: 'compact',
      keptLogBytes: Infinity,
      seconds: 1.5,
      jsonFile: '/home/me/out.json',
      mptcp: false,
      carriage: 'auto',
      decision: {
        correction: true,
        networks: [],
        pathControl: true,
        foreignEndpoints: 'keep',
      },
      media: {},
      help: false,
      version: false,
    });
  });

  it('takes - for standard output', () => {
    expect(parseAppArgs(['--json', '-'], '/home/me').jsonFile).toBe('-');
  });

  it('reads tracks and keys, and names what is malformed', () => {
    const [id, key] = ['0123456789abcdef0123456789abcdef', 'f'.repeat(32)];
    const args = ['--audio-language', 'de', '--text-role=caption', '--key', `${id}:${key}`];
    expect(parseAppArgs(args, '/').media).toEqual({
      audioLanguage: 'de',
      textRole: 'caption',
      keys: { [id]: key },
    });
    expect(() => parseAppArgs(['--audio-language', 'a b'], '/')).toThrow(/audioLanguage/);
  });

  it('limits the log bytes in its own folder, or as requested', () => {
    expect(parseAppArgs([], '/').keptLogBytes).toBe(500e6);
    const asked = ['--log-dir', 'logs', '--keep-logs', '2GB', '--log-format', 'plain'];
    expect(parseAppArgs(asked, '/')).toMatchObject({ keptLogBytes: 2e9, logFormat: 'plain' });
    expect(parseAppArgs(['--keep-logs=all'], '/').keptLogBytes).toBe(Infinity);
  });

  it('reads the options of path decisions', () => {
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

  it('keeps a URL unchanged and ignores Chromium’s switches', () => {
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
    [['--policy', 'nonsense'], /--policy nonsense: expected all or /],
    [['--policy', 'path-use-decision', '--policy-set', 'rho=9'], /--policy: .*rho/],
    [['--policy-set', 'rho=0.5'], /need --policy/],
    [['--policy', 'all', '--policy-config', '[]'], /--policy-config \[\]: expected a JSON object/],
    [['--keep-logs', '500'], /--keep-logs 500: expected a number with B, kB, MB or GB/],
    [['--log-format', 'xml'], /--log-format xml: expected plain or compact/],
    [['--metered', 'a b'], /--metered a b: expected NETWORK/],
    [['--buffer', '0'], /--buffer 0: expected 1 to 600/],
    [['--foreign-endpoints', 'eat'], /expected keep or suspend/],
  ])('refuses %j', (args, message) => {
    expect(() => parseAppArgs(args, '/')).toThrow(ArgsError);
    expect(() => parseAppArgs(args, '/')).toThrow(message);
  });

  it('reports what it refuses in one line', () => {
    const error = new ArgsError("unknown option '--sceonds'\n(Did you mean --seconds?)");
    expect(problemLine(error)).toBe(
      "multipath-dash: unknown option '--sceonds' (Did you mean --seconds?) (see --help)",
    );
  });
});
