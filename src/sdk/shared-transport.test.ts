import { describe, expect, it } from 'vitest';
import type { PathRequest, TransportMessage } from '../ports';
import { createFakeTransport } from '../ports/testing';
import { joinTransport, mergeWanted } from './shared-transport';

describe('several players on one transport', () => {
  it('watch the origins of all of them', () => {
    const shared = createFakeTransport();
    const one = joinTransport(shared);
    const two = joinTransport(shared);
    one.transport.watch(['http://a']);
    two.transport.watch(['http://b']);
    expect(shared.watched).toEqual(['http://a', 'http://b']);
    one.leave();
    expect(shared.watched).toEqual(['http://b']);
  });

  it('keep a path that one of them needs', () => {
    const needs = new Map([['path2', { pathId: 'path2', state: 'active' as const }]]);
    const asked = [
      { pathId: 'path1', state: 'closed' as const },
      { pathId: 'path2', state: 'backup' as const },
    ];
    expect(mergeWanted(asked, [needs])).toEqual([
      { pathId: 'path1', state: 'closed' },
      { pathId: 'path2', state: 'active' },
    ]);
  });

  it('get back the paths that a leaving player had restricted', () => {
    const requests: PathRequest[] = [];
    const fake = createFakeTransport();
    const shared = { ...fake, requestPaths: (request: PathRequest) => void requests.push(request) };
    const one = joinTransport(shared);
    const two = joinTransport(shared);
    one.transport.requestPaths?.({
      sequence: 1,
      paths: [
        { pathId: 'path1', state: 'active' },
        { pathId: 'path2', state: 'closed' },
        { pathId: 'path3', state: 'backup' },
      ],
    });
    two.transport.requestPaths?.({ sequence: 1, paths: [{ pathId: 'path3', state: 'closed' }] });
    one.leave();
    one.leave();
    expect(requests.slice(2)).toEqual([
      {
        sequence: 3,
        paths: [
          { pathId: 'path2', state: 'active' },
          { pathId: 'path3', state: 'closed' },
        ],
      },
    ]);
    two.leave();
    expect(requests).toHaveLength(3);
  });

  it('each receive the answers to their own requests, under their own numbers', () => {
    const requests: PathRequest[] = [];
    const fake = createFakeTransport();
    const shared = { ...fake, requestPaths: (request: PathRequest) => void requests.push(request) };
    const one = joinTransport(shared);
    const two = joinTransport(shared);
    const heard: (number | undefined)[][] = [[], []];
    for (const [index, { transport }] of [one, two].entries()) {
      transport.subscribe((message: TransportMessage) => {
        if (message.type === 'path-control') heard[index]?.push(message.report.sequence);
      });
    }
    one.transport.requestPaths?.({ sequence: 7, paths: [{ pathId: 'path1', state: 'backup' }] });
    two.transport.requestPaths?.({ sequence: 7, paths: [{ pathId: 'path2', state: 'backup' }] });
    expect(requests.map(({ sequence }) => sequence)).toEqual([1, 2]);
    const report = {
      capability: { available: true as const, through: 'fake' as const },
      paths: [],
      refusals: [],
    };
    fake.emit({ type: 'path-control', report: { ...report, sequence: 2 } });
    expect(heard).toEqual([[undefined], [7]]);
  });
});
