import { expect, it, vi } from 'vitest';
import { Announcements } from './announcements';
import type { ObjectRequest, ObjectSink } from './fetch-object';
import type { AnnouncedObject } from './range-driver-options';

const sink: ObjectSink = {
  onHead: vi.fn(),
  onData: () => true,
  onEnd: vi.fn(),
  onFailure: vi.fn(),
};
const segment = (number: number): ObjectRequest & { stream: string } => ({
  url: new URL(`http://192.0.2.1/${number}.m4s`),
  headers: {},
  joinable: true,
  stream: 'video',
});

function make() {
  const announced: string[] = [];
  const driver = {
    announce(request: ObjectRequest): AnnouncedObject {
      announced.push(request.url.pathname);
      return { request, read: () => ({ cancel: vi.fn(), drained: vi.fn() }), drop: vi.fn() };
    },
  };
  return { announced, announcements: new Announcements(driver, { after: () => vi.fn() }) };
}

it('gives the announced object to its request', () => {
  const { announced, announcements } = make();
  announcements.announce(segment(1));
  announcements.announce(segment(1));
  expect(announcements.read(segment(1), sink)).toBeDefined();
  expect(announcements.read(segment(1), sink)).toBeUndefined();
  expect(announced).toEqual(['/1.m4s']);
});

it('fetches nothing for an announcement that comes after its request', () => {
  const { announced, announcements } = make();
  expect(announcements.read(segment(1), sink)).toBeUndefined();
  announcements.announce(segment(1));
  announcements.announce({ ...segment(1), stream: 'other' });
  announcements.announce(segment(2));
  expect(announced).toEqual(['/1.m4s', '/2.m4s']);
});

it('knows a segment by its address without CMCD, which differs with each request', () => {
  const { announced, announcements } = make();
  const described = (number: number, sn: number, rest = '') => ({
    ...segment(number),
    url: new URL(`http://192.0.2.1/${number}.m4s?t=1&CMCD=sn%3D${sn}%2Cv%3D2${rest}`),
    headers: { 'cmcd-request': `sn=${sn}` },
  });
  announcements.announce(described(1, 1));
  announcements.announce(described(1, 2));
  expect(announcements.read(described(1, 3), sink)).toBeDefined();
  // The announcement that comes after its request.
  announcements.announce(described(1, 4));
  announcements.announce(described(2, 5));
  expect(announcements.read(described(2, 6, '&key=1'), sink)).toBeUndefined();
  expect(announced).toEqual(['/1.m4s', '/2.m4s']);
});
