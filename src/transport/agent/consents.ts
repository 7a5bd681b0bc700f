import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { errorText } from '../../core';
import { parseUrl } from '../../fetch';
import { makeFolder } from '../log/make-folder';

const schema = v.strictObject({
  origins: v.pipe(
    v.array(v.strictObject({ origin: v.string(), grantedAt: v.string() })),
    v.maxLength(1000),
  ),
});

export type Consent = v.InferOutput<typeof schema>['origins'][number];

/** The file of consents cannot be read or written; the message names it. */
export class ConsentFileError extends Error {
  override readonly name = 'ConsentFileError';
  readonly code = 'CONSENT_FILE';
}

/** An origin as a browser sends it: scheme, host, port where it is not the default; undefined if it is invalid. */
export function toOrigin(text: string): string | undefined {
  const url = parseUrl(text);
  return url?.origin === text && /^https?:$/.test(url.protocol) ? text : undefined;
}

/**
 * The origins to which the user lets pages see the paths. The file is read at every question, so that a consent
 * given or revoked by another process counts at once. Only its owner can read or write it.
 */
export class Consents {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws ConsentFileError if the file exists and has another format */
  list(): Consent[] {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw this.#error(error);
    }
    try {
      return v.parse(schema, JSON.parse(text)).origins;
    } catch (error) {
      throw this.#error(error);
    }
  }

  has(origin: string): boolean {
    return this.list().some((one) => one.origin === origin);
  }

  grant(origin: string, at: Date): void {
    if (this.has(origin)) return;
    this.#write([...this.list(), { origin, grantedAt: at.toISOString() }]);
  }

  /** @returns false if there was none */
  revoke(origin: string): boolean {
    const all = this.list();
    const left = all.filter((one) => one.origin !== origin);
    if (left.length < all.length) this.#write(left);
    return left.length < all.length;
  }

  #write(origins: Consent[]): void {
    try {
      makeFolder(path.dirname(this.#file));
      // The file is on the disk before it replaces the old one: a revoked consent stays revoked after a power cut.
      writeFileAtomic(this.#file, `${JSON.stringify({ origins }, undefined, 2)}\n`, {
        mode: 0o600,
      });
    } catch (error) {
      throw this.#error(error);
    }
  }

  #error(error: unknown): ConsentFileError {
    const reason = errorText(error);
    return new ConsentFileError(`${this.#file}: ${reason}`, { cause: error });
  }
}
