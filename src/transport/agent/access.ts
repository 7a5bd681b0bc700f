import type { IncomingMessage, ServerResponse } from 'node:http';
import { AGENT_ACCESS_PATH } from '../../ipc';
import { originAllowed } from './guard';

/** The user's answer to an origin that asks for path data. */
export type ConsentAnswer = 'granted' | 'denied' | 'unanswered';

export interface AccessOptions {
  /** Origins that may ask at all. */
  origins: readonly string[];
  /** Asks the user, or looks up the stored answer. */
  consent: (origin: string) => Promise<ConsentAnswer>;
}

/** Everything that a page needs to open the feed. */
export interface Access {
  feedUrl: string;
  token: string;
}

const REFUSAL: Record<Exclude<ConsentAnswer, 'granted'>, string> = {
  denied: 'The user does not want this page to see the network paths.',
  unanswered:
    'The user has not consented: allow this page in the terminal of the agent, or with `multipath-dash agent --grant ORIGIN`.',
};

/** Questions open at once; more are a mistake or an attack. */
const MAX_OPEN = 8;

/**
 * Answers a page of an allowed origin that asks for a token. Chromium requires CORS headers for exactly that origin
 * from a service on loopback. Older releases also require `Access-Control-Allow-Private-Network`.
 * https://wicg.github.io/local-network-access/
 */
export class AccessDesk {
  readonly #allowed: ReadonlySet<string>;
  readonly #options: AccessOptions;
  readonly #issue: () => Access;
  /** One question an origin, even if several pages ask. */
  readonly #open = new Map<string, Promise<ConsentAnswer>>();

  constructor(options: AccessOptions, issue: () => Access) {
    this.#options = options;
    this.#allowed = new Set(options.origins);
    this.#issue = issue;
  }

  /** @returns false if the request has another purpose */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (request.url !== AGENT_ACCESS_PATH) return false;
    const { origin } = request.headers;
    if (origin === undefined || !originAllowed(origin, this.#allowed)) {
      response.writeHead(403).end();
      return true;
    }
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Vary', 'Origin');
    response.setHeader('Cache-Control', 'no-store');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'POST');
      response.setHeader('Access-Control-Max-Age', '600');
      if (request.headers['access-control-request-private-network'] === 'true') {
        response.setHeader('Access-Control-Allow-Private-Network', 'true');
      }
      response.writeHead(204).end();
    } else if (request.method === 'POST') {
      await this.#answer(origin, response);
    } else {
      response.writeHead(405, { Allow: 'POST, OPTIONS' }).end();
    }
    return true;
  }

  async #answer(origin: string, response: ServerResponse): Promise<void> {
    const answer = await this.#ask(origin);
    const [status, body] =
      answer === 'granted' ? [200, this.#issue()] : [403, { error: REFUSAL[answer] }];
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  async #ask(origin: string): Promise<ConsentAnswer> {
    const open = this.#open.get(origin);
    if (open) return open;
    if (this.#open.size >= MAX_OPEN) return 'unanswered';
    const question = this.#options.consent(origin).finally(() => this.#open.delete(origin));
    this.#open.set(origin, question);
    return question;
  }
}
