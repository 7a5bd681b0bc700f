import { parseUrl } from './parse-url';
import { pageLimits } from '../../ipc';

/** Collects the media's origins and notifies the transport of each new one. */
export class Origins {
  readonly #watch: (origins: readonly string[]) => void;
  readonly #origins = new Set<string>();

  constructor(watch: (origins: readonly string[]) => void) {
    this.#watch = watch;
  }

  /** @param base base of relative URLs */
  add(urls: readonly string[], base?: string): void {
    const before = this.#origins.size;
    for (const text of urls) {
      const url = parseUrl(text, base);
      const web = url?.protocol === 'http:' || url?.protocol === 'https:';
      if (web && this.#origins.size < pageLimits.origins) this.#origins.add(url.origin);
    }
    if (this.#origins.size > before) this.#watch([...this.#origins]);
  }
}
