/**
 * How a page finds and greets the loopback agent. In the page's URL the token travels in the fragment, so
 * that it reaches no server log and no `Referer`; only the WebSocket to the agent itself carries it.
 */

/** Path of the agent's WebSocket. */
export const AGENT_FEED_PATH = '/feed';

/** Query parameter of the WebSocket URL and fragment parameter of the page URL. */
export const AGENT_TOKEN_KEY = 'token';

/** Fragment parameter of the page URL: the WebSocket URL, without the token. */
export const AGENT_FEED_KEY = 'feed';
