import { AGENT_ACCESS_PATH, AGENT_DEFAULT_PORT } from '../ipc';
import { FeedError } from '../player';
import { connectAgent, type ConnectAgentOptions } from './connect-agent';
import type { FeedConnection } from './feed-connection-types';
import { parseUrl } from './parse-url';

/** Options of `requestAgent`. */
export interface RequestAgentOptions extends Pick<ConnectAgentOptions, 'onProblem' | 'timeoutMs'> {
  /** Port of the agent on this computer; default 4711. */
  port?: number;
  /** How long the user may take to consent; default 60000. */
  consentTimeoutMs?: number;
}

const CONSENT_TIMEOUT_MS = 60_000;

/**
 * Asks the agent on the viewer's computer (`multipath-dash agent --allow-origin ORIGIN`) for path data and connects to
 * it. The viewer consents once for an origin; Chromium asks for its own permission to reach this computer, and only
 * pages in a secure context may ask for that.
 * Rejects with a `FeedError` that says what to do.
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
  const { port = AGENT_DEFAULT_PORT, consentTimeoutMs = CONSENT_TIMEOUT_MS, ...rest } = options;
  const { feedUrl, token } = await askForAccess(`http://127.0.0.1:${port}`, consentTimeoutMs);
  return connectAgent({ ...rest, url: feedUrl, token });
}

interface Access {
  feedUrl: string;
  token: string;
}

async function askForAccess(agent: string, timeoutMs: number): Promise<Access> {
  let response: Response;
  try {
    const request: RequestInit & { targetAddressSpace: string } = {
      method: 'POST',
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
      // Exempts the request from the rules of mixed content; browsers that do not know it ignore it.
      targetAddressSpace: 'loopback',
    };
    response = await fetch(`${agent}${AGENT_ACCESS_PATH}`, request);
  } catch {
    throw new FeedError(
      `No answer from an agent at ${agent}: start \`multipath-dash agent --allow-origin ${location.origin}\`, and allow this page to reach this computer.`,
    );
  }
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && isAccess(body, agent)) return body;
  throw new FeedError(reasonIn(body) ?? `The agent at ${agent} refused: HTTP ${response.status}.`);
}

/** The agent is trusted no further than its own port. */
function isAccess(body: unknown, agent: string): body is Access {
  const { feedUrl, token } = (body ?? {}) as Partial<Record<keyof Access, unknown>>;
  const isText = typeof feedUrl === 'string' && typeof token === 'string';
  return isText && parseUrl(feedUrl)?.host === new URL(agent).host;
}

function reasonIn(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === 'string' ? error : undefined;
}
