import { MAX_TIMER_MS } from '../core';
import { AGENT_ACCESS_PATH, AGENT_DEFAULT_PORT } from '../ipc';
import { FeedError, parseUrl } from '../player';

/** Time in which the user can answer the agent's question: the agent's 60 s, and time for its refusal to come. */
const CONSENT_TIMEOUT_MS = 65_000;

/** The agent's grant to a page. */
interface Access {
  feedUrl: string;
  token: string;
}

/** The request behind `requestAgent`, which loads it on first use. Rejects with a `FeedError` that names the remedy. */
export async function askForAccess(
  port = AGENT_DEFAULT_PORT,
  timeoutMs = CONSENT_TIMEOUT_MS,
): Promise<Access> {
  const agent = `http://127.0.0.1:${port}`;
  let response: Response;
  try {
    const request: RequestInit & { targetAddressSpace: string } = {
      method: 'POST',
      credentials: 'omit',
      signal: AbortSignal.timeout(Math.min(timeoutMs, MAX_TIMER_MS)),
      // Exempts the request from the rules of mixed content; browsers that do not know it ignore it.
      targetAddressSpace: 'loopback',
    };
    response = await fetch(`${agent}${AGENT_ACCESS_PATH}`, request);
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      throw new FeedError(
        `The agent at ${agent} was not answered in time: answer its question where it runs, or start it with \`--grant ${location.origin}\`.`,
      );
    }
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
