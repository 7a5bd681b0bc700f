import { expect, it } from 'vitest';
import type { FeedDown } from '../../ipc';
import { createIpcChannel } from './ipc-channel';

const status: FeedDown = { type: 'status', status: { state: 'idle', reason: 'nothing yet' } };

it('holds messages back while the window is busy and resumes afterwards', () => {
  const sent: FeedDown[] = [];
  const channel = createIpcChannel(
    (message) => sent.push(message),
    () => {},
  );
  while (!channel.congested()) channel.send(status);
  const atOnce = sent.length;
  expect(atOnce).toBeGreaterThan(1);
  expect(channel.acknowledged()).toBe(true);
  expect(channel.congested()).toBe(false);
  // Surplus acknowledgements must not raise the limit.
  for (let i = 0; i < 100; i++) channel.acknowledged();
  sent.length = 0;
  while (!channel.congested()) channel.send(status);
  expect(sent).toHaveLength(atOnce);
});
