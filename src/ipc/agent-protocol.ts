/**
 * Names and defaults of the connection between a page and the loopback agent. The token is in the fragment of the
 * page's URL, which reaches no server log and no `Referer`. Only the WebSocket to the agent itself carries it.
 */

/** Path of the agent's WebSocket. */
export const AGENT_FEED_PATH = '/feed';

/** Query parameter of the WebSocket URL and fragment parameter of the page URL. */
export const AGENT_TOKEN_KEY = 'token';

/** Fragment parameter of the page URL: the WebSocket URL, without the token. */
export const AGENT_FEED_KEY = 'feed';

/** Path at which a page of an allowed origin requests a token; the user consents once for an origin. */
export const AGENT_ACCESS_PATH = '/access';

/** The default address of `multipath-dash agent`. */
export const AGENT_DEFAULT_PORT = 4711;
