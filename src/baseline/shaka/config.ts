import { AGENT_FEED_KEY, AGENT_TOKEN_KEY } from '../../ipc';

/** The page's parameters in its address. */
export interface ShakaPageConfig {
  mpd: string;
  agent: { url: string; token: string };
  /** Seconds Shaka prefetches; absent: its default. */
  bufferingGoalSeconds?: number;
}

/** Reads `#mpd=<url>&feed=<url>&token=<token>[&bufferTarget=<seconds>]`. @throws Error with the parameter */
export function readConfig(hash: string): ShakaPageConfig {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const need = (key: string): string => {
    const value = parameters.get(key);
    if (value) return value;
    throw new Error(`${key} is missing in the address: this page is opened by \`lab run\`.`);
  };
  const target = parameters.get('bufferTarget');
  const bufferingGoalSeconds = Number(target);
  if (target !== null && !(bufferingGoalSeconds > 0)) {
    throw new Error(`bufferTarget must be a number of seconds above 0, not '${target}'.`);
  }
  return {
    mpd: need('mpd'),
    agent: { url: need(AGENT_FEED_KEY), token: need(AGENT_TOKEN_KEY) },
    ...(target === null ? {} : { bufferingGoalSeconds }),
  };
}
