import type { MediaPlayerClass } from 'dashjs';
import { describe, expect, it } from 'vitest';
import type { DashRequest } from './dash-types';
import { FragmentOwners } from './fragment-owners';

interface Exchange {
  customData: { request: DashRequest; abort?: () => void; onloadend?: () => void };
}
interface Model {
  abortRequests(): void;
  executeRequest(request: DashRequest): void;
  getRequests(filter: { state: string }): DashRequest[];
}
type Extension = (this: { parent: Model }) => Partial<Model>;

/** As dash.js 5.2.1: the model, its HTTPLoader, and the interceptor that copies the exchange for CMCD. */
function fakeDash(cmcd: boolean) {
  const sent: string[] = [];
  const owners = new FragmentOwners();
  let loading: DashRequest[] = [];
  let exchanges: Exchange[] = [];
  const model: Model = {
    executeRequest: (request) => {
      loading.push(request);
      const kept: Exchange = { customData: { request } };
      exchanges.push(kept);
      const loaded = cmcd ? { ...kept, customData: { ...kept.customData } } : kept;
      owners.sent(request, loaded);
      const { customData } = loaded;
      customData.onloadend = () => void sent.push(`completed ${request.url}`);
      customData.abort = () => {
        sent.push(`aborted ${request.url}`);
        customData.onloadend?.();
        customData.abort = () => undefined;
      };
    },
    abortRequests: () => {
      for (const { customData } of exchanges) {
        delete customData.onloadend;
        customData.abort?.();
      }
      exchanges = [];
      loading = [];
    },
    getRequests: ({ state }) => (state === 'loading' ? loading : []),
  };
  const player = {
    extend: (name: string, extension: Extension) => {
      expect(name).toBe('FragmentModel');
      Object.assign(model, extension.call({ parent: model }));
    },
  };
  owners.plugInto(player as unknown as MediaPlayerClass);
  return { model, owners, sent };
}

const request = (url: string): DashRequest => ({ url, type: 'MediaSegment', mediaType: 'video' });

describe.each([false, true])('a request, with CMCD: %s', (cmcd) => {
  it('is aborted once by its owner, and does not complete', () => {
    const { model, owners, sent } = fakeDash(cmcd);
    const one = request('1.m4s');
    model.executeRequest(one);
    owners.abort(request('1.m4s'));
    expect(sent).toEqual([]);
    owners.abort(one);
    owners.abort(one);
    expect(sent).toEqual(['aborted 1.m4s']);
  });

  it('is aborted by dash.js itself', () => {
    const { model, sent } = fakeDash(cmcd);
    model.executeRequest(request('1.m4s'));
    model.abortRequests();
    expect(sent).toEqual(['aborted 1.m4s']);
  });
});
