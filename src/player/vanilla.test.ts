import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createMultipathPlayer } from './create-player';
import { abrChoices } from './dash-settings';

/** What was asked of the dash.js player, by method. */
const calls: [method: string, ...args: unknown[]][] = [];

vi.mock('dashjs', () => ({
  MediaPlayer: () => ({
    create: () =>
      new Proxy(
        {},
        {
          get:
            (_target, method: string) =>
            (...args: unknown[]) =>
              calls.push([method, ...args]),
        },
      ),
  }),
}));

const video = { autoplay: false, addEventListener: () => undefined } as unknown as HTMLVideoElement;

/** Paths of all values in a settings object: `streaming.abr.rules.bolaRule.active`. */
function leaves(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, at ? `${at}.${key}` : key));
}

beforeEach(() => {
  calls.length = 0;
});

const baselines = abrChoices.filter((abr) => abr !== 'multipath');

describe.each(baselines)('%s without correction', (abr) => {
  beforeEach(() => {
    createMultipathPlayer({ video, abr, correction: false });
  });

  it('changes no setting but which rules are active', () => {
    const settings = calls.filter(([method]) => method === 'updateSettings');
    for (const path of settings.flatMap(([, given]) => leaves(given)).filter(Boolean)) {
      expect(path).toMatch(/^streaming\.abr\.rules\.\w+Rule\.active$/);
    }
  });

  it('only listens: nothing is extended, added or decided', () => {
    const methods = new Set(calls.map(([method]) => method));
    methods.delete('updateSettings');
    expect([...methods].sort()).toEqual(['addRequestInterceptor', 'addResponseInterceptor', 'on']);
  });
});

it('leaves dynamic exactly as dash.js comes', () => {
  createMultipathPlayer({ video, abr: 'dynamic', correction: false });
  const settings = calls.filter(([method]) => method === 'updateSettings');
  expect(settings.flatMap(([, given]) => leaves(given)).filter(Boolean)).toEqual([]);
});

it('plugs in our parts where it is asked to', () => {
  createMultipathPlayer({ video, abr: 'multipath' });
  const methods = calls.map(([method]) => method);
  expect(methods).toContain('extend');
  expect(methods).toContain('addABRCustomRule');
});
