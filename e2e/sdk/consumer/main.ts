import {
  attach,
  connectAgent,
  createMultipathPlayer,
  requestAgent,
  type FeedConnection,
  type Multipath,
} from '@multipath-dash/sdk';
import { createHlsMultipath } from '@multipath-dash/sdk/hls';
import { mountPanel, type PanelPlayer } from '@multipath-dash/sdk/panel';
import { attachShaka } from '@multipath-dash/sdk/shaka';
import { MediaPlayer } from 'dashjs';
import Hls from 'hls.js';
import shaka from 'shaka-player';

/** The stream and the player, from the address: `#player=hls&url=...&feed=...&token=...`. */
const parameters = new URLSearchParams(location.hash.slice(1));
const url = parameters.get('url') ?? '';
const policy = parameters.get('policy') ?? undefined;
const video = document.querySelector('video')!;

const starters: Record<string, (feed: Partial<FeedConnection>) => Promise<Multipath>> = {
  async own(feed) {
    const player = await createMultipathPlayer({ video, policy, cmcd: true, ...feed });
    await player.load(url);
    player.play();
    return player;
  },
  async dash(feed) {
    const mediaPlayer = MediaPlayer().create();
    const multipath = await attach(mediaPlayer, { video, policy, ...feed });
    mediaPlayer.initialize(video, url, true);
    return multipath;
  },
  async shaka(feed) {
    const player = new shaka.Player();
    await player.attach(video);
    const multipath = await attachShaka(player, { video, policy, ...feed });
    await player.load(url);
    await video.play();
    return multipath;
  },
  async hls(feed) {
    const multipath = await createHlsMultipath(Hls, { video, policy, ...feed });
    const hls = new Hls(multipath.config);
    hls.loadSource(url);
    hls.attachMedia(video);
    await video.play();
    return multipath;
  },
};

async function start(): Promise<void> {
  const agent = parameters.get('feed');
  const token = parameters.get('token') ?? '';
  const port = parameters.get('port');
  const feed = port
    ? await requestAgent({ port: Number(port) })
    : agent
      ? await connectAgent({ url: agent, token })
      : {};
  const player = await starters[parameters.get('player') ?? 'own']!(feed);
  const panel: PanelPlayer = player;
  mountPanel(document.querySelector<HTMLElement>('#paths')!, panel);
  player.on('error', ({ code, message }) => console.warn(code, message));
  Object.assign(window, { multipath: player });
  window.addEventListener('pagehide', () => player.destroy());
}

start().catch((error: unknown) => {
  document.body.dataset['failure'] = String(error);
});
