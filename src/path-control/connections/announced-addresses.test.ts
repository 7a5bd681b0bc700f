import { expect, it } from 'vitest';
import { AnnouncedAddresses } from './announced-addresses';

const remote = { address: '10.0.0.9', port: 8080 };
const second = { address: '10.0.1.9', port: 0 };
const ours = { token: 1, remote, subflows: [] };

it('keeps the announcements of a watched connection, however many other connections exist', () => {
  const announced = new AnnouncedAddresses();
  announced.onEvent({ kind: 'announced', token: 1, remoteId: 2, remote: second });
  for (let token = 2; token < 1000; token += 1) {
    announced.onEvent({ kind: 'announced', token, remoteId: 2, remote: second });
    if (token % 200 === 0) announced.remotesOf(ours);
  }
  expect(announced.remotesOf(ours)).toEqual([
    { id: 0, end: remote },
    { id: 2, end: { ...second, port: 8080 } },
  ]);
  // For an unwatched connection only the address it was opened to is known.
  expect(announced.remotesOf({ ...ours, token: 2 })).toHaveLength(1);
});
