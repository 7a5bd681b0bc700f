/**
 * How a page finds and greets the loopback agent. The token travels in the page URL's fragment and in a
 * WebSocket subprotocol, never in a path or query, so that it reaches no server log and no `Referer`.
 */

/** Path of the agent's WebSocket. */
export const AGENT_FEED_PATH = '/feed';

/** The subprotocol the agent answers with. */
export const AGENT_SUBPROTOCOL = 'multipath-dash.v1';

/** Key of the token in the page URL's fragment: `#token=<64 hex digits>&mpd=...`. */
export const AGENT_TOKEN_KEY = 'token';

const tokenPrefix = 'token.';

/** What to offer as WebSocket subprotocols. */
export function agentSubprotocols(token: string): string[] {
  return [AGENT_SUBPROTOCOL, tokenPrefix + token];
}

/** The token among offered subprotocols. */
export function tokenOfSubprotocols(offered: Iterable<string>): string | undefined {
  for (const name of offered) {
    if (name.startsWith(tokenPrefix)) return name.slice(tokenPrefix.length);
  }
  return undefined;
}
