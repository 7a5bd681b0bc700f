import { listMember, member } from './member';

/**
 * The BaseURLs of a stream that are not yet abandoned. When a request has failed after all retries, dash.js 5
 * leaves its BaseURL for good. It takes the next of the same element (ISO/IEC 23009-1, 5.6).
 */
export class BaseUrls {
  readonly #failed = new Set<string>();
  #choices: readonly (readonly string[])[] = [];

  /** Reads the manifest in the form parsed by dash.js. */
  read(manifest: unknown): void {
    this.#choices = elements(manifest).map(locationsOf);
  }

  /** A request to this service location failed after all retries. */
  failed(location: string): void {
    this.#failed.add(location);
  }

  /** Number of service locations that failed. */
  get failures(): number {
    return this.#failed.size;
  }

  /** True if dash.js has another BaseURL for the same element. */
  hasOther(location: string): boolean {
    return this.#choices.some(
      (choice) =>
        choice.includes(location) &&
        choice.some((one) => one !== location && !this.#failed.has(one)),
    );
  }

  /** True if any element of the stream has two BaseURLs left. */
  get anyChoice(): boolean {
    return this.#choices.some(
      (choice) => choice.filter((one) => !this.#failed.has(one)).length > 1,
    );
  }
}

const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:/i;

/** The MPD and all its elements that may have BaseURLs of their own. */
function elements(manifest: unknown): unknown[] {
  const periods = listMember(manifest, 'Period');
  const sets = periods.flatMap((period) => listMember(period, 'AdaptationSet'));
  return [
    manifest,
    ...periods,
    ...sets,
    ...sets.flatMap((set) => listMember(set, 'Representation')),
  ];
}

/** dash.js stops reading BaseURLs at the first relative one. */
function locationsOf(element: unknown): string[] {
  const locations: string[] = [];
  for (const entry of listMember(element, 'BaseURL')) {
    const url = typeof entry === 'string' ? entry : member(entry, '__text');
    if (typeof url !== 'string' || !ABSOLUTE_URL.test(url)) break;
    const named = member(entry, 'serviceLocation');
    locations.push(typeof named === 'string' && named !== '' ? named : url);
  }
  return locations;
}
