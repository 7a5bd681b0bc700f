import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CarriageReport } from '../../core';
import { parseGatewayTarget } from '../../ipc';
import type { DashRequest } from '../dashjs/dash-types';
import { GatewayRoute, type FetchChoice } from './gateway-route';

const GATEWAY = 'http://127.0.0.1:5/token/';
const MEDIA = 'https://media.example/1.m4s';
let problems: string[];

/** The server's clock is ahead of the client's by this much. */
let serverAheadMs = 0;
let playbackRate = 1;

beforeEach(() => {
  problems = [];
  serverAheadMs = 0;
  playbackRate = 1;
});

function routeOf(
  choice: FetchChoice,
  carriage: CarriageReport['carriage'] = 'ranges',
): GatewayRoute {
  const route = new GatewayRoute({
    choice,
    clock: { nowMs: () => 0, after: () => () => undefined },
    serverNowMs: () => Date.now() + serverAheadMs,
    bufferMs: () => 4000,
    playbackRate: () => playbackRate,
    exactBytes: () => undefined,
    onProblem: (message) => problems.push(message),
  });
  const report = { carriage, reason: '', networks: [], inOrderBytes: 0 };
  route.hear({ type: 'carriage', report, gatewayUrl: GATEWAY, chunks: [] });
  return route;
}

const segment = (): DashRequest => ({ url: MEDIA, type: 'MediaSegment', mediaType: 'video' });

async function redirected(
  route: GatewayRoute,
  credentials?: string,
  dashRequest = segment(),
): Promise<string> {
  const request = { url: MEDIA, ...(credentials === undefined ? {} : { credentials }) };
  await route.redirect(request, dashRequest);
  return request.url;
}

describe('a request of dash.js', () => {
  it.each(['omit', 'same-origin', undefined])(
    'goes to the gateway with credentials: %s',
    async (credentials) => {
      const route = routeOf('auto');
      const dashRequest = segment();
      const url = await redirected(route, credentials, dashRequest);
      expect(url.startsWith(GATEWAY)).toBe(true);
      expect(route.gathers(dashRequest)).toBe(true);
      expect(route.gathers(segment())).toBe(false);
      const signed = { ...segment(), url: `${MEDIA}?added` };
      await redirected(route, credentials, signed);
      expect(route.gathers(signed)).toBe(true);
      const target = parseGatewayTarget(new URL(url).search.slice(1));
      expect(target).toMatchObject({ ok: true, value: { url: MEDIA, neededInMs: 4000 } });
    },
  );

  it.each([
    [2, 2000],
    [0.5, 8000],
    [0, 4000],
  ])('at a speed of %s is needed in %s ms', async (speed, neededInMs) => {
    playbackRate = speed;
    const url = await redirected(routeOf('auto'));
    expect(parseGatewayTarget(new URL(url).search.slice(1))).toMatchObject({
      value: { neededInMs },
    });
  });

  it.each(['auto', 'networks'] as const)(
    'with cookies stays with the browser (%s)',
    async (choice) => {
      const route = routeOf(choice);
      expect(await redirected(route, 'include')).toBe(MEDIA);
      expect(await redirected(route, 'include')).toBe(MEDIA);
      expect(problems).toHaveLength(choice === 'networks' ? 1 : 0);
      expect(await redirected(route, 'omit')).not.toBe(MEDIA);
    },
  );

  it('with cookies announces no next request either', async () => {
    const post = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
    const route = routeOf('auto');
    const [withCookies, without] = [segment(), segment()];
    await redirected(route, 'include', withCookies);
    route.announce(withCookies, segment(), 1000);
    expect(post).not.toHaveBeenCalled();
    await redirected(route, 'omit', without);
    route.announce(without, segment(), 1000);
    expect(post).toHaveBeenCalledOnce();
    post.mockRestore();
  });

  describe('with CMCD', () => {
    /** Sends a request, and announces the next one. Gives what the gateway hears of both. */
    async function announced(next: DashRequest, describe: DashRequest['describe'], url?: string) {
      const post = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
      const route = routeOf('auto');
      // dash.js 5.2.1 writes the data into both; another interceptor added a key to the exchange.
      const cmcd = { url: `${MEDIA}?CMCD=sn%3D1`, cmcd: { sn: 1 } };
      const dashRequest = { ...segment(), ...cmcd, ...(describe && { describe }) };
      const request = { url: url ?? `${MEDIA}?CMCD=sn%3D1%2Cmy-key%3D1` };
      await route.redirect(request, dashRequest);
      route.announce(dashRequest, next, 1000);
      const calls = post.mock.calls;
      post.mockRestore();
      return calls.map(([target, { headers } = {}]) => ({
        target: parseGatewayTarget(new URL(target as string).search.slice(1)),
        headers,
      }));
    }

    it('announces the next one with data of its own', async () => {
      const describe = (other: DashRequest): DashRequest => ({
        ...other,
        url: `${other.url}?CMCD=sn%3D2`,
        headers: { 'CMCD-Request': 'sn=2' },
      });
      const next = { ...segment(), range: '5-9' };
      const [first, ...others] = await announced(next, describe);
      expect(first?.target).toMatchObject({ value: { url: `${MEDIA}?CMCD=sn%3D2` } });
      expect(first?.headers).toEqual({ 'CMCD-Request': 'sn=2', Range: 'bytes=5-9' });
      expect(others).toEqual([]);
      expect(next.url).toBe(MEDIA);
    });

    it('announces none without such data, or where another parameter was added', async () => {
      const describe = (other: DashRequest): DashRequest => other;
      expect(await announced(segment(), undefined)).toEqual([]);
      expect(await announced(segment(), describe, `${MEDIA}?CMCD=sn%3D1&key=1`)).toEqual([]);
    });
  });

  it('stays with the browser where MPTCP carries, or where the page wants it', async () => {
    expect(await redirected(routeOf('auto', 'mptcp'))).toBe(MEDIA);
    expect(await redirected(routeOf('browser'))).toBe(MEDIA);
    expect(await redirected(routeOf('networks', 'mptcp'))).not.toBe(MEDIA);
  });

  it.each([
    ['still grows', 300, 0, 2000 - 250 + 500 - 300],
    ['still grows, with a client clock that is ahead', 300, -2500, 2000 - 250 + 500 - 300],
    ['is complete', 4000, 0, 0],
    ['is complete, with a client clock that is behind', 4000, 3000, 0],
  ])('names the time of a live segment that %s', async (_, agoMs, aheadMs, growsForMs) => {
    serverAheadMs = aheadMs;
    const growing: DashRequest = {
      ...segment(),
      duration: 2,
      availabilityTimeComplete: false,
      availabilityStartTime: new Date(Date.now() + serverAheadMs - agoMs),
      representation: { id: '1', availabilityTimeOffset: 1.75 } as never,
    };
    const url = await redirected(routeOf('auto'), undefined, growing);
    const target = parseGatewayTarget(new URL(url).search.slice(1));
    const { joinableInMs = NaN } = target.ok ? target.value : {};
    expect(joinableInMs).toBeLessThanOrEqual(growsForMs);
    expect(joinableInMs).toBeGreaterThanOrEqual(Math.max(0, growsForMs - 100));
  });

  it('does not wait for a gateway once the agent has ended', async () => {
    const route = routeOf('networks');
    route.hear({ type: 'closed', reason: 'ended' });
    expect(await redirected(route)).toBe(MEDIA);
  });

  it('gets its own address back with the answer', async () => {
    const route = routeOf('auto');
    const request = { url: MEDIA };
    await route.redirect(request, segment());
    const response = {
      status: 200,
      url: request.url,
      headers: { 'x-multipath-url': `${MEDIA}?cdn` },
    };
    route.restore(request, response);
    expect(response.url).toBe(`${MEDIA}?cdn`);
  });

  it.each([
    ['1200', 1200],
    ['many', undefined],
  ])('reports the bytes that arrived before its request: %s', async (text, earlyBytes) => {
    const route = routeOf('auto');
    const answer = { status: 200, url: MEDIA, headers: { 'x-multipath-early': text } };
    const request = { url: MEDIA };
    // The same header of a server is ignored.
    expect(route.restore(request, answer)).toBeUndefined();
    await route.redirect(request, segment());
    expect(route.restore(request, answer)).toBe(earlyBytes);
  });
});
