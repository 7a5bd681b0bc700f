import { AGENT_FEED_KEY, AGENT_TOKEN_KEY } from '../../ipc';

/** What the address asks of the page. */
export interface ShakaPageConfig {
  mpd: string;
  agent: { url: string; token: string };
  /** Seconds Shaka fetches ahead; absent: its own default. */
  bufferingGoalSeconds?: number;
}

/** Reads `#mpd=<url>&feed=<url>&token=<token>[&bufferTargetMs=<n>]`. @throws Error naming the parameter */
export function readConfig(hash: string): ShakaPageConfig {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const need = (key: string): string => {
    const value = parameters.get(key);
    if (value) return value;
    throw new Error(`${key} is missing in the address: this page is opened by \`lab run\`.`);
  };
  const target = parameters.get('bufferTargetMs');
  const targetMs = Number(target);
  if (target !== null && !(targetMs > 0)) {
    throw new Error(`bufferTargetMs must be a number above 0, not '${target}'.`);
  }
  return {
    mpd: need('mpd'),
    agent: { url: need(AGENT_FEED_KEY), token: need(AGENT_TOKEN_KEY) },
    ...(target === null ? {} : { bufferingGoalSeconds: targetMs / 1000 }),
  };
}
