import type { MediaPlayerClass } from 'dashjs';
import { describe, expect, it } from 'vitest';
import type { Forecast } from '../core';
import { addKeys, enableCmcd, pathKeys, type CmcdRequest } from './cmcd';
import type { Multipath } from './embed';

const path = (pathId: string, rateBps: number, usable = true) => ({
  pathId,
  rateBps,
  safeRateBps: rateBps,
  usable,
});
const forecast: Forecast = {
  rateBps: 5e6,
  safeRateBps: 4e6,
  confidence: 1,
  basis: 'paths',
  paths: [path('wlan0', 4_321_000), path('wwan0', 1e6, false), path('a",b=1', 1e6)],
};
const status = { state: 'multipath', reason: '' } as const;
const KEYS = 'multipathdash-paths="wlan0=4321 wwan0=0",multipathdash-transport="multipath"';

describe('CMCD of the paths', () => {
  it('contains the rate of each path; a path’s name cannot break out of its value', () => {
    expect(pathKeys({ forecast, status })).toBe(KEYS);
  });

  it('is empty without path data', () => {
    expect(pathKeys({ forecast: { ...forecast, basis: 'requests' }, status })).toBe('');
    expect(pathKeys({ status })).toBe('');
  });

  it('is added where dash.js put its own keys, and nowhere else', () => {
    const { url } = addKeys({ url: 'https://m.example/1.m4s?a=1&CMCD=br%3D3%2Cv%3D2' }, KEYS);
    expect(new URL(url).searchParams.get('CMCD')).toBe(`br=3,v=2,${KEYS}`);
    expect(new URL(url).searchParams.get('a')).toBe('1');
    const plain = { url: 'https://m.example/key' };
    expect(addKeys(plain, KEYS)).toBe(plain);
    const withHeader = addKeys({ ...plain, headers: { 'CMCD-Request': 'bl=1' } }, KEYS);
    expect(withHeader).toEqual({ ...plain, headers: { 'CMCD-Request': `bl=1,${KEYS}` } });
  });

  it('ends with the session, even if dash.js plays on', async () => {
    type Interceptor = (request: CmcdRequest) => Promise<CmcdRequest>;
    const interceptors: Interceptor[] = [];
    const dash = {
      updateSettings: () => undefined,
      extend: () => undefined,
      addRequestInterceptor: (one: Interceptor) => interceptors.push(one),
    } as unknown as MediaPlayerClass;
    const inner = { snapshot: () => ({ forecast, status }), destroy: () => undefined };
    const addPathKeys = enableCmcd(dash, true);
    const sent = async (): Promise<string> => {
      const request = { url: 'https://m.example/1.m4s?CMCD=v%3D2' };
      await interceptors[0]?.(request);
      return new URL(request.url).searchParams.get('CMCD') ?? '';
    };
    expect(await sent()).toBe('v=2');
    const multipath = addPathKeys(inner as unknown as Multipath);
    expect(await sent()).toBe(`v=2,${KEYS}`);
    multipath.destroy();
    expect(await sent()).toBe('v=2');
  });

  describe('of a segment that is fetched ahead', () => {
    type Extension = (this: object) => object;
    interface Described extends CmcdRequest {
      cmcd?: unknown;
      describe?: (other: CmcdRequest) => CmcdRequest;
    }

    /** dash.js that plays: its extension is called, and its CmcdController numbers the requests. */
    function playing(hasController: boolean, mode: 'query' | 'header' = 'query') {
      let sn = 0;
      const applyCmcdToRequest = (request: Described): void => {
        request.cmcd = { sn: ++sn };
        if (mode === 'header') request.headers = { 'CMCD-Request': `sn=${sn}` };
        else request.url = `${request.url}?CMCD=sn%3D${sn}`;
      };
      const controller = hasController ? { applyCmcdToRequest } : null;
      const factory = { getSingletonInstance: () => controller };
      let intercept: ((exchange: object) => Promise<object>) | undefined;
      const dash = {
        updateSettings: () => undefined,
        addRequestInterceptor: (one: typeof intercept) => (intercept = one),
        extend: (_name: string, extension: Extension) => extension.call({ context: {}, factory }),
      } as unknown as MediaPlayerClass;
      const inner = { snapshot: () => ({ forecast, status }) } as unknown as Multipath;
      enableCmcd(dash, { mode })(inner);
      return async (request: Described): Promise<Described> => {
        await intercept?.({ ...request, customData: { request } });
        return request;
      };
    }

    it.each([
      ['query', { url: 'https://m.example/2.m4s', headers: null }],
      ['header', { url: 'https://m.example/2.m4s', headers: {} }],
    ] as const)('is dash.js’s own, with the paths (%s)', async (mode, next) => {
      const send = playing(true, mode);
      const present = await send({ url: 'https://m.example/1.m4s', cmcd: {} });
      const described = present.describe?.(next);
      const text = new URL(described?.url ?? '').searchParams.get('CMCD');
      expect(text ?? described?.headers?.['CMCD-Request']).toBe(`sn=1,${KEYS}`);
      expect(next).toEqual({ url: 'https://m.example/2.m4s', headers: next.headers });
    });

    it('is absent for a request without CMCD, and where dash.js has no controller', async () => {
      const url = 'https://m.example/1.m4s';
      expect((await playing(true)({ url })).describe).toBeUndefined();
      expect((await playing(false)({ url, cmcd: {} })).describe).toBeUndefined();
    });
  });
});
