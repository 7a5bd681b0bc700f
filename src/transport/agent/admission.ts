import type { IncomingMessage } from 'node:http';
import { AGENT_FEED_PATH, AGENT_TOKEN_KEY } from '../../ipc';
import { hostAllowed, originAllowed, returnCookie } from './guard';
import { OneTimeTokens } from './one-time-tokens';

/** Refused, with the HTTP status; or admitted, with a function that makes the page's token valid again. */
export type Admitted = { status: string } | { giveBack: () => void };

export interface AdmissionOptions {
  port: number;
  origins: ReadonlySet<string>;
  /** True while all places are taken. */
  isFull: () => boolean;
  /** True if a page may begin a log now; counts it. */
  mayBegin: () => boolean;
}

/** Decides which requests for the feed are pages that this program opened, or that were here before. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #tokens = new OneTimeTokens();
  readonly #returns = new OneTimeTokens();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** A new token. It admits one page, once. */
  issueToken(): string {
    return this.#tokens.issue();
  }

  /** The header with the cookie that readmits a page after a reload. */
  returnHeader(): string {
    return returnCookie.header(this.#options.port, AGENT_FEED_PATH, this.#returns.issue());
  }

  judge(request: IncomingMessage): Admitted {
    const { port, origins, isFull, mayBegin } = this.#options;
    if (!hostAllowed(request.headers.host, port)) return { status: '403 Forbidden' };
    if (!originAllowed(request.headers.origin, origins)) return { status: '403 Forbidden' };
    // Not `new URL`: it throws at targets such as `//`, which every local user can send.
    const [pathname, query] = (request.url ?? '').split('?', 2);
    if (pathname !== AGENT_FEED_PATH) return { status: '404 Not Found' };
    if (isFull()) return { status: '503 Service Unavailable' };
    const admitted = this.#redeem(request, query);
    if ('status' in admitted || mayBegin()) return admitted;
    admitted.giveBack();
    return { status: '429 Too Many Requests' };
  }

  /** Redeems a token, or the cookie of a page that was here before. */
  #redeem(request: IncomingMessage, query: string | undefined): Admitted {
    const token = new URLSearchParams(query).get(AGENT_TOKEN_KEY) ?? undefined;
    const cookie = returnCookie.read(request.headers.cookie, this.#options.port);
    const offers = [
      [this.#tokens, token],
      [this.#returns, cookie],
    ] as const;
    for (const [kind, offered] of offers) {
      if (kind.redeem(offered)) return { giveBack: () => kind.giveBack(offered) };
    }
    return { status: '401 Unauthorized' };
  }
}
