import './page.css';
import {
  abrChoices,
  connectAgent,
  createMultipathPlayer,
  createNoFeedTransport,
  mountPanel,
  type FeedConnection,
  type MultipathPlayer,
} from '../sdk';
import { readPageConfig, type PageConfig } from './page-config';

const video = find('video', HTMLVideoElement);
const panel = find('panel', HTMLElement);
const message = find('message', HTMLElement);

start().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
});

async function start(): Promise<void> {
  const config = readPageConfig(location.hash, abrChoices);
  const connection = await connect(config);
  const player = createMultipathPlayer({
    video,
    abr: config.abr,
    correction: config.correction,
    policy: config.policy,
    policyConfig: config.policyConfig,
    networks: config.networks,
    bufferTargetMs: config.bufferTargetMs,
    ...connection,
  });
  // Read-only, for tests and the curious.
  Object.defineProperty(window, 'multipathDash', {
    value: Object.freeze({ snapshot: () => player.snapshot() }),
  });
  mountPanel(panel, player);
  player.subscribe((event) => {
    if (event.type === 'error' && (event.fatal || event.code === 'autoplay-blocked')) {
      say(event.message);
    }
  });
  video.addEventListener('playing', () => say(''));
  if (config.autoplay) player.play();
  player.load(config.mpd);
  endWithPage(player, connection);
}

/** Without an agent, or when it cannot be had, the page plays on and says why it sees no paths. */
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
    const reason = error instanceof Error ? error.message : String(error);
    return { transport: createNoFeedTransport({ reason: `No path data: ${reason}` }) };
  }
}

/** A page that goes away ends its session; one kept for "back" would otherwise log into the void. */
function endWithPage(player: MultipathPlayer, connection: Partial<FeedConnection>): void {
  window.addEventListener('pagehide', () => {
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
