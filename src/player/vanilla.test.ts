import type { MediaPlayerClass } from 'dashjs';
import { beforeEach, describe, expect, it } from 'vitest';
import { isOwnRule, isReferenceRule, REFERENCE_RULES } from '../core';
import { createDashPlayer } from './create-player';
import { abrChoices } from './dashjs/dash-settings';

/** Calls to the dash.js player, by method. */
const calls: [method: string, ...args: unknown[]][] = [];

const dash = new Proxy(
  {},
  {
    get:
      (_target, method: string) =>
      (...args: unknown[]) =>
        calls.push([method, ...args]),
  },
) as MediaPlayerClass;

const video = { autoplay: false, addEventListener: () => undefined } as unknown as HTMLVideoElement;

/** Paths of all values in a settings object: `streaming.abr.rules.bolaRule.active`. */
function leaves(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, at ? `${at}.${key}` : key));
}

beforeEach(() => {
  calls.length = 0;
});

const baselines = abrChoices.filter((abr) => !isOwnRule(abr) && !isReferenceRule(abr));

describe.each(baselines)('%s without correction', (abr) => {
  beforeEach(() => {
    createDashPlayer(dash, { video, abr, correction: false });
  });

  it('changes only which rules are active, and the catch-up mode that LoL+ requires', () => {
    const settings = calls.filter(([method]) => method === 'updateSettings');
    const paths = settings.flatMap(([, given]) => leaves(given)).filter(Boolean);
    const others = paths.filter((path) => !/^streaming\.abr\.rules\.\w+Rule\.active$/.test(path));
    expect(others).toEqual(abr === 'lolp' ? ['streaming.liveCatchup.mode'] : []);
  });

  it('only listens: nothing is extended, added or decided', () => {
    const methods = new Set(calls.map(([method]) => method));
    methods.delete('updateSettings');
    expect([...methods].sort()).toEqual(['addRequestInterceptor', 'addResponseInterceptor', 'on']);
  });
});

describe.each(REFERENCE_RULES)('%s', (abr) => {
  it.each([true, false])(
    'is the only rule, and all that is added (correction: %s)',
    (correction) => {
      createDashPlayer(dash, { video, abr, correction });
      const methods = new Set(calls.map(([method]) => method));
      methods.delete('updateSettings');
      expect([...methods].sort()).toEqual([
        'addABRCustomRule',
        'addRequestInterceptor',
        'addResponseInterceptor',
        'on',
      ]);
      const settings = calls.flatMap(([method, given]) =>
        method === 'updateSettings' ? [given] : [],
      );
      const active = settings.flatMap((one) => [
        ...JSON.stringify(one).matchAll(/"active":(\w+)/g),
      ]);
      expect(active.length).toBeGreaterThan(0);
      // dash.js of 2016 abandoned requests too.
      const others = abr === 'throughput-2016' ? ['true'] : [];
      expect(active.map(([, value]) => value).filter((value) => value !== 'false')).toEqual(others);
    },
  );
});

it('leaves dynamic at dash.js’s defaults', () => {
  createDashPlayer(dash, { video, abr: 'dynamic', correction: false });
  const settings = calls.filter(([method]) => method === 'updateSettings');
  expect(settings.flatMap(([, given]) => leaves(given)).filter(Boolean)).toEqual([]);
});

it('installs this player’s parts on request', () => {
  createDashPlayer(dash, { video, abr: 'multipath' });
  const methods = calls.map(([method]) => method);
  expect(methods).toContain('extend');
  expect(methods).toContain('addABRCustomRule');
});
