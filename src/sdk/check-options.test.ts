import { describe, expect, it, vi } from 'vitest';
import { checkAddress, checkDashPlayer, checkOptions, checkPlayer } from './check-options';
import { OptionError } from './errors';

const video = { play: () => undefined, pause: () => undefined, addEventListener: () => undefined };
const ALLOWED = ['video', 'abr', 'policy', 'networks', 'bufferTargetMs', 'memory', 'transport'];

describe('options', () => {
  it('are accepted if valid or undefined, and with the methods of a connection beside them', () => {
    expect(() =>
      checkOptions(
        { video, abr: undefined, policy: 'genetic', memory: false, close: () => undefined },
        ALLOWED,
      ),
    ).not.toThrow();
  });

  it.each([
    ['video', {}, 'is missing'],
    ['video', { video: {} }, 'expected a <video> element'],
    ['abr', { video, abr: 'magic' }, /expected one of .*multipath.*, got "magic"/],
    ['policy', { video, policy: 'modell' }, /expected one of .*all.*, got "modell"/],
    [
      'bufferTargetMs',
      { video, bufferTargetMs: 20 },
      'expected 1000 to 600000 milliseconds, got 20',
    ],
    ['networks', { video, networks: [{ network: 1 }] }, 'networks'],
    ['memory', { video, memory: true }, 'expected false or'],
    ['transport', { video, transport: {} }, 'connectAgent'],
    ['vidoe', { video, vidoe: 1 }, 'there is no such option'],
  ])('are refused with an error that names %s', (option, options, says) => {
    try {
      checkOptions(options, ALLOWED);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(OptionError);
      expect((error as OptionError).option).toBe(option);
      expect((error as OptionError).message).toMatch(says);
    }
  });
});

describe('a player', () => {
  const begun = {
    initialize: vi.fn(),
    addABRCustomRule: vi.fn(),
    getInitialMediaSettingsFor: vi.fn(),
  };

  it.each([undefined, null, {}, 'dashjs', { initialize: vi.fn() }])(
    'of dash.js is not %j',
    (one) => {
      expect(() => checkDashPlayer(one)).toThrow('mediaPlayer: expected a player of dash.js');
    },
  );

  it('of dash.js is refused once it is initialized', () => {
    expect(() => checkDashPlayer(begun)).toThrow('attach before initialize()');
    const fresh = {
      ...begun,
      getInitialMediaSettingsFor: () => {
        throw new Error('not initialized');
      },
    };
    expect(() => checkDashPlayer(fresh)).not.toThrow();
  });

  it('is accepted as a class', () => {
    const Hls = Object.assign(() => undefined, { version: '1' });
    expect(() => checkPlayer(Hls, 'Hls', 'the class', ['version'])).not.toThrow();
    expect(() => checkPlayer(() => undefined, 'Hls', 'the class', ['version'])).toThrow(
      OptionError,
    );
  });
});

it('accepts as an address what the page can resolve, else throws', () => {
  vi.stubGlobal('document', { baseURI: 'https://page.example/' });
  for (const url of ['stream.mpd', '/a.mpd', 'https://media.example/a.mpd']) {
    expect(() => checkAddress(url)).not.toThrow();
  }
  for (const url of ['', undefined, 7, 'http://']) {
    expect(() => checkAddress(url)).toThrow('url: expected the address of a manifest');
  }
  vi.unstubAllGlobals();
});
