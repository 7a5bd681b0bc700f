import { connectAgent, type ConnectAgentOptions } from './connect-agent';
import type { FeedConnection } from './feed-connection-types';

/** Options of `requestAgent`. */
export interface RequestAgentOptions extends Pick<ConnectAgentOptions, 'onProblem' | 'timeoutMs'> {
  /** Port of the agent on this computer; default 4711. */
  port?: number;
  /** Time limit for the user's consent; default 65000: the agent asks for 60 s, then its refusal comes. */
  consentTimeoutMs?: number;
}

/**
 * Asks the agent on the viewer's computer (`multipath-dash agent --allow-origin ORIGIN`) for path data and connects to
 * it. The viewer consents once for an origin; Chromium asks for its own permission to reach this computer, and only
 * pages in a secure context may ask for that.
 * Rejects with a `FeedError` that names the remedy.
 *
 * @example
 * ```ts
 * import { createMultipathPlayer, requestAgent } from '@multipath-dash/sdk';
 *
 * const feed = await requestAgent().catch(() => undefined); // plays without path data then
 * const player = await createMultipathPlayer({ video: document.querySelector('video')!, ...feed });
 * ```
 */
export async function requestAgent(options: RequestAgentOptions = {}): Promise<FeedConnection> {
  const { askForAccess } = await import('./ask-for-access');
  const { port, consentTimeoutMs, ...rest } = options;
  const { feedUrl, token } = await askForAccess(port, consentTimeoutMs);
  return connectAgent({ ...rest, url: feedUrl, token });
}
