import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { MiddleboxSpec } from '../scenario';
import { isNightly, reasonToSkip, runFixture } from './testing/sandboxed';

const reason = await reasonToSkip();
const title = reason === undefined ? 'middlebox' : `middlebox (skipped: ${reason})`;

const resultSchema = v.object({
  bytes: v.number(),
  /** The received data equals the sent data. */
  isSame: v.boolean(),
  error: v.string(),
  /** Address seen by the server. */
  peer: v.string(),
  fellBack: v.number(),
  /** Further subflows of the client. */
  joined: v.number(),
  announced: v.number(),
  /** Bytes over the second link, client to server. */
  secondBytes: v.number(),
  boxes: v.array(v.record(v.string(), v.number())),
});

interface Input {
  middlebox?: MiddleboxSpec;
  second?: MiddleboxSpec;
  announced?: boolean;
  ipv6?: boolean;
  tcp?: boolean;
}

/** IPv6 or not; without `nightly` only IPv6, because the code differs in the header only. */
const families = isNightly ? [false, true] : [true];
const BYTES = 4_000_000;

async function transfer(input: Input): Promise<v.InferOutput<typeof resultSchema>> {
  return v.parse(resultSchema, await runFixture('middlebox', { bytes: BYTES, ...input }));
}

describe.skipIf(reason !== undefined)(title, () => {
  it('changes nothing by default: MPTCP uses both links', async () => {
    const result = await transfer({});
    expect(result).toMatchObject({ bytes: BYTES, isSame: true, fellBack: 0, joined: 1 });
    expect(result.secondBytes).toBeGreaterThan(100_000);
    expect(result.boxes).toEqual([{}, {}]);
  });

  it.each(families)('strips MP_CAPABLE: TCP on one link (IPv6: %s)', async (ipv6) => {
    const result = await transfer({ middlebox: { stripMpCapable: true }, ipv6 });
    expect(result).toMatchObject({ bytes: BYTES, isSame: true, joined: 0 });
    expect(result.fellBack).toBeGreaterThan(0);
    expect(result.boxes[0]?.['mpCapableStripped']).toBeGreaterThan(0);
    expect(result.secondBytes).toBeLessThan(10_000);
  });

  it('strips MP_JOIN: MPTCP on one link', async () => {
    const result = await transfer({ second: { stripMpJoin: true } });
    expect(result).toMatchObject({ bytes: BYTES, isSame: true, fellBack: 0, joined: 0 });
    expect(result.boxes[1]?.['mpJoinStripped']).toBeGreaterThan(0);
    expect(result.secondBytes).toBeLessThan(10_000);
  });

  it.each(families)(
    'drops ADD_ADDR: the client joins the address announced, or never learns it (IPv6: %s)',
    async (ipv6) => {
      const known = await transfer({ announced: true, ipv6 });
      expect(known).toMatchObject({ bytes: BYTES, isSame: true, announced: 1, joined: 1 });
      expect(known.secondBytes).toBeGreaterThan(100_000);
      const middlebox = { dropAddAddr: true };
      const kept = await transfer({ announced: true, middlebox, ipv6 });
      expect(kept).toMatchObject({ bytes: BYTES, isSame: true, announced: 0, joined: 0 });
      expect(kept).toMatchObject({ fellBack: 0 });
      expect(kept.boxes[0]?.['addAddrDropped']).toBeGreaterThan(0);
      expect(kept.secondBytes).toBeLessThan(10_000);
    },
  );

  it.each([
    [false, '10.1.0.99'],
    [true, 'fd00:1::99'],
  ])('translates addresses and still joins (IPv6: %s)', async (ipv6, address) => {
    const second = { nat: { address: ipv6 ? 'fd00:2::99' : '10.2.0.99' } };
    const result = await transfer({ middlebox: { nat: { address } }, second, ipv6 });
    expect(result).toMatchObject({ bytes: BYTES, isSame: true, peer: address, joined: 1 });
    expect(result.boxes[0]?.['natRewritten']).toBeGreaterThan(100);
    expect(result.secondBytes).toBeGreaterThan(100_000);
  });

  it('resets a connection after its byte limit', async () => {
    const box = { resetAfterBytes: 500_000 };
    const result = await transfer({ middlebox: box, tcp: true });
    expect(result.error).toBe('ConnectionResetError');
    expect(result.bytes).toBeLessThan(500_000);
    expect(result.boxes[0]?.['resets']).toBe(1);
  });
});
