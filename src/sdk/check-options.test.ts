import { describe, expect, it } from 'vitest';
import { checkOptions } from './check-options';
import { OptionError } from './errors';

const video = { play: () => undefined, pause: () => undefined, addEventListener: () => undefined };
const ALLOWED = ['video', 'abr', 'policy', 'networks', 'bufferTargetMs', 'memory', 'transport'];

describe('options', () => {
  it('pass where they are right, absent ones and a whole connection included', () => {
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
    ['abr', { video, abr: 'magic' }, 'expected one of multipath'],
    ['policy', { video, policy: 'modell' }, 'expected one of all'],
    [
      'bufferTargetMs',
      { video, bufferTargetMs: 20 },
      'expected 1000 to 600000 milliseconds, got 20',
    ],
    ['networks', { video, networks: [{ network: 1 }] }, 'networks'],
    ['memory', { video, memory: true }, 'expected false or'],
    ['transport', { video, transport: {} }, 'connectAgent'],
    ['vidoe', { video, vidoe: 1 }, 'there is no such option'],
  ])('name %s where it is wrong', (option, options, says) => {
    try {
      checkOptions(options, ALLOWED);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(OptionError);
      expect((error as OptionError).option).toBe(option);
      expect((error as OptionError).message).toContain(says);
    }
  });
});
