import { describe, expect, it, vi } from 'vitest';
import { alternateFamilies, ATTEMPT_DELAY_MS, raceToConnect } from './happy-eyeballs';

const SOON = { timeout: 20_000 };

describe('alternateFamilies', () => {
  it('begins with IPv6 and keeps the order within a family', () => {
    expect(alternateFamilies(['192.0.2.1', '192.0.2.2', '2001:db8::1'])).toEqual([
      '2001:db8::1',
      '192.0.2.1',
      '192.0.2.2',
    ]);
  });
});

interface Attempt {
  address: string;
  succeed: (value: string) => void;
  fail: (error: Error) => void;
  signal: AbortSignal;
}

function race(addresses: string[], signal?: AbortSignal) {
  const attempts: Attempt[] = [];
  const discarded: string[] = [];
  let timer: (() => void) | undefined;
  const result = raceToConnect<string>({
    addresses,
    signal,
    attempt: (address, attemptSignal) =>
      new Promise((succeed, fail) =>
        attempts.push({ address, succeed, fail, signal: attemptSignal }),
      ),
    discard: (late) => discarded.push(late),
    after: (delayMs, callback) => {
      expect(delayMs).toBe(ATTEMPT_DELAY_MS);
      timer = callback;
      return () => (timer = undefined);
    },
  });
  result.catch(() => undefined);
  return { attempts, discarded, result, delayPasses: () => timer?.() };
}

describe('raceToConnect', () => {
  it('tries the next address after the delay, cancels and discards what loses', async () => {
    const { attempts, discarded, result, delayPasses } = race(['::1', '127.0.0.1']);
    expect(attempts.map(({ address }) => address)).toEqual(['::1']);
    delayPasses();
    attempts[1]?.succeed('four');
    await expect(result).resolves.toBe('four');
    expect(attempts[0]?.signal.aborted).toBe(true);
    attempts[0]?.succeed('six');
    await vi.waitFor(() => expect(discarded).toEqual(['six']), SOON);
  });

  it('counts what an attempt throws as its failure, also after the delay', async () => {
    let timer: (() => void) | undefined;
    const result = raceToConnect<string>({
      addresses: ['::1', '127.0.0.1', '127.0.0.2'],
      attempt(address) {
        if (address === '127.0.0.1') throw new Error('bind: no such address');
        return address === '::1' ? new Promise(() => undefined) : Promise.resolve(address);
      },
      discard: () => undefined,
      after(_delayMs, callback) {
        timer = callback;
        return () => (timer = undefined);
      },
    });
    expect(timer).not.toThrow();
    await expect(result).resolves.toBe('127.0.0.2');
  });

  it('tries the next address at once when one fails, and gives the first error when all do', async () => {
    const { attempts, result } = race(['::1', '127.0.0.1']);
    attempts[0]?.fail(new Error('unreachable'));
    await vi.waitFor(() => expect(attempts).toHaveLength(2), SOON);
    attempts[1]?.fail(new Error('refused'));
    await expect(result).rejects.toThrow('unreachable');
  });

  it('ends with its signal', async () => {
    const controller = new AbortController();
    const { attempts, result } = race(['::1'], controller.signal);
    controller.abort();
    await expect(result).rejects.toThrow('cancelled');
    expect(attempts[0]?.signal.aborted).toBe(true);
  });
});
