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
