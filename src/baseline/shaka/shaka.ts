import shaka from 'shaka-player';
import { errorText } from '../../core';
import { connectAgent } from '../../sdk';
import { readConfig } from './config';
import { ShakaSession } from './shaka-session';

start().catch((error: unknown) => {
  const message = errorText(error);
  console.error(message);
  const place = document.getElementById('message');
  if (place) place.textContent = message;
});

async function start(): Promise<void> {
  const config = readConfig(location.hash);
  const video = document.querySelector('video');
  if (!video) throw new Error('index.html lacks a video element');
  shaka.polyfill.installAll();
  const connection = await connectAgent({
    ...config.agent,
    onProblem: (problem) => console.warn(problem),
  });
  const session = new ShakaSession(config, video, connection);
  window.addEventListener('pagehide', () => {
    session.end();
    void connection.close();
  });
  await session.play();
}
