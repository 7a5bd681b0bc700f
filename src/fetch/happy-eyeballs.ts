import { toError } from '../core';
import { familyOf } from './network';

/** RFC 8305, section 5: "Connection Attempt Delay", recommended 250 ms. */
export const ATTEMPT_DELAY_MS = 250;

/**
 * Orders addresses for connecting: families alternate, IPv6 first (RFC 8305, section 4). Each family keeps the
 * resolver's order.
 */
export function alternateFamilies(addresses: readonly string[]): string[] {
  const six = addresses.filter((address) => familyOf(address) === 6);
  const four = addresses.filter((address) => familyOf(address) === 4);
  const ordered: string[] = [];
  for (let i = 0; i < Math.max(six.length, four.length); i += 1) {
    ordered.push(...six.slice(i, i + 1), ...four.slice(i, i + 1));
  }
  return ordered;
}

export interface RaceOptions<T> {
  addresses: readonly string[];
  /** Rejects or throws if the attempt fails; rejects if `signal` is aborted. */
  attempt: (address: string, signal: AbortSignal) => Promise<T>;
  /** Takes a connection that was established after another one had won. */
  discard: (late: T) => void;
  after: (delayMs: number, callback: () => void) => () => void;
  signal?: AbortSignal | undefined;
}

/**
 * Happy Eyeballs (RFC 8305, section 5). The next address is tried when the attempt before fails, or 250 ms after it
 * began. The first connection wins.
 * @throws the first attempt's error when all fail
 */
export function raceToConnect<T>(options: RaceOptions<T>): Promise<T> {
  const { addresses, attempt, discard, after, signal } = options;
  const losers = new AbortController();
  // Also an error that the attempt throws at once is one of the attempt, not of the timer that began it.
  const begin = async (address: string): Promise<T> => attempt(address, losers.signal);
  return new Promise((resolve, reject) => {
    let settled = false;
    let running = 0;
    let next = 0;
    let firstError: unknown;
    let stopWaiting = (): void => undefined;

    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      stopWaiting();
      signal?.removeEventListener('abort', onAbort);
      finish();
      losers.abort();
    };
    const tryNext = (): void => {
      stopWaiting();
      const address = addresses[next];
      next += 1;
      if (settled || address === undefined) return;
      running += 1;
      begin(address).then(
        (connection) => {
          if (settled) discard(connection);
          else settle(() => resolve(connection));
        },
        (error: unknown) => {
          firstError ??= error;
          running -= 1;
          if (next < addresses.length) tryNext();
          else if (running === 0) settle(() => reject(toError(firstError)));
        },
      );
      stopWaiting = after(ATTEMPT_DELAY_MS, tryNext);
    };

    const onAbort = (): void => settle(() => reject(new Error('cancelled')));
    if (addresses.length === 0) settle(() => reject(new Error('no address to connect to')));
    signal?.addEventListener('abort', onAbort);
    tryNext();
  });
}
