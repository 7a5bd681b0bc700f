import './page.css';
import { createViewingHistory, mountControls, startingAt, titleOf } from '../controls';
import { errorText } from '../core';
import {
  abrChoices,
  connectAgent,
  createMultipathPlayer,
  createNoFeedTransport,
  type FeedConnection,
  type MultipathPlayer,
} from '../sdk';
import { mountPanel } from '../sdk/panel';
import { openDroppedAddresses } from './dropped-address';
import { readPageConfig, type PageConfig } from './page-config';

const video = find('video', HTMLVideoElement);
const panel = find('panel', HTMLElement);
const subtitles = find('subtitles', HTMLDivElement);
const message = find('message', HTMLElement);
const history = createViewingHistory();
const controls = mountControls(video, subtitles, history);

openDroppedAddresses(say);

start().catch((error: unknown) => {
  say(errorText(error));
});

async function start(): Promise<void> {
  const config = readPageConfig(location.hash, abrChoices);
  const connection = await connect(config);
  const player = await createMultipathPlayer({
    video,
    abr: config.abr,
    correction: config.correction,
    policy: config.policy,
    policyConfig: config.policyConfig,
    networks: config.networks,
    bufferTargetMs: config.bufferTargetMs,
    ...config.media,
    textContainer: subtitles,
    ...connection,
  });
  // Read-only, for tests and inspection.
  Object.defineProperty(window, 'multipathDash', {
    value: Object.freeze({ snapshot: () => player.snapshot() }),
  });
  mountPanel(panel, player);
  const title = titleOf(config.mpd);
  document.title = `${title} – multipath-dash`;
  find('title', HTMLElement).textContent = title;
  const leave = controls.follow(player, config.mpd);
  player.subscribe((event) => {
    if (event.type === 'error' && (event.fatal || event.code === 'autoplay-blocked')) {
      say(event.message);
    }
  });
  video.addEventListener('playing', () => say(''));
  if (config.autoplay) player.play();
  // An error is shown by the listener above.
  player.load(startingAt(config.mpd, history.startS(config.mpd))).catch(() => undefined);
  endWithPage(player, connection, leave);
}

/** Connects to the agent. Without one the page plays on and shows the reason for missing path data. */
async function connect(
  config: PageConfig,
): Promise<Pick<FeedConnection, 'transport'> & Partial<FeedConnection>> {
  if (!config.agent) return { transport: createNoFeedTransport() };
  try {
    return await connectAgent({
      ...config.agent,
      onProblem: (problem) => console.warn(`multipath-dash: ${problem}`),
    });
  } catch (error) {
    const reason = errorText(error);
    return { transport: createNoFeedTransport({ reason: `No path data: ${reason}` }) };
  }
}

/** A closing page ends its session. A page kept for "back" would otherwise log to a closed channel. */
function endWithPage(
  player: MultipathPlayer,
  connection: Partial<FeedConnection>,
  leave: () => void,
): void {
  window.addEventListener('pagehide', () => {
    leave();
    player.destroy();
    void connection.close?.();
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  window.addEventListener('hashchange', () => location.reload());
}

function say(text: string): void {
  message.textContent = text;
  message.hidden = text === '';
}

function find<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`index.html lacks #${id}`);
}
