import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The committed inputs of a target, one file each. */
export function readCorpus(target: string): Buffer[] {
  const folder = fileURLToPath(new URL(`corpus/${target}`, import.meta.url));
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(path.join(folder, name)));
}

/** Bytes with a meaning in JSON, XML, gzip, UTF-8 or a WebSocket frame. */
const SPECIAL = [
  ...['"', '\\', '{', '}', '[', ']', ',', ':', '<', '>', '&', '/', '\n', '\0', '-', 'e999', '$'],
  ...['1e400', '-0', '9007199254740993', '\\ud800', '<!--', ']]>', '&#0;', '../', '%', '%00'],
].map((text) => Buffer.from(text));

type Edit =
  | { kind: 'flip'; at: number; byte: number }
  | { kind: 'cut'; at: number; length: number }
  | { kind: 'insert'; at: number; bytes: Uint8Array }
  /** A piece of the input, once more or many times. */
  | { kind: 'repeat'; at: number; length: number; times: number }
  | { kind: 'truncate'; at: number }
  /** Values that replace one of the numbers. */
  | { kind: 'number'; at: number; text: string };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const pieceLength = fc.nat({ max: 200 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: share, byte: fc.nat({ max: 255 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: share, length: pieceLength }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: share,
    bytes: fc.oneof(fc.constantFrom(...SPECIAL), fc.uint8Array({ maxLength: 8 })),
  }),
  fc.record({
    kind: fc.constant('repeat' as const),
    at: share,
    length: pieceLength,
    times: fc.constantFrom(1, 2, 50),
  }),
  fc.record({ kind: fc.constant('truncate' as const), at: share }),
  fc.record({
    kind: fc.constant('number' as const),
    at: share,
    text: fc.constantFrom('0', '-1', '1e-9', '999999999999', '1e400', 'NaN', '', '4294967296'),
  }),
);

function apply(bytes: Buffer, change: Edit): Buffer {
  const at = Math.floor(change.at * bytes.length);
  const before = bytes.subarray(0, at);
  switch (change.kind) {
    case 'flip':
      return Buffer.concat([before, Buffer.of(change.byte), bytes.subarray(at + 1)]);
    case 'cut':
      return Buffer.concat([before, bytes.subarray(at + change.length)]);
    case 'insert':
      return Buffer.concat([before, change.bytes, bytes.subarray(at)]);
    case 'truncate':
      return before;
    case 'number': {
      const text = bytes.toString('latin1');
      const numbers = [...text.matchAll(/-?\d+(\.\d+)?/g)];
      const found = numbers[Math.floor(change.at * numbers.length)];
      if (found === undefined) return bytes;
      const end = found.index + found[0].length;
      const changed = text.slice(0, found.index) + change.text + text.slice(end);
      return Buffer.from(changed, 'latin1');
    }
    case 'repeat': {
      const piece = bytes.subarray(at, at + change.length);
      const copies = Array.from({ length: change.times }, () => piece);
      return Buffer.concat([before, ...copies, bytes.subarray(at)]);
    }
  }
}

/** Inputs of the corpus with some edits; a failing one shrinks to the fewest edits. */
export function mutated(corpus: readonly Buffer[]): fc.Arbitrary<Buffer> {
  return fc
    .record({ from: fc.constantFrom(...corpus), edits: fc.array(edit, { maxLength: 6 }) })
    .map(({ from, edits }) => edits.reduce(apply, from));
}

/** Values that schemas often treat wrongly. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    -1,
    Infinity,
    Number.NaN,
    2 ** 53,
    [],
    {},
    true,
    'a'.repeat(5000),
  ),
  fc.string(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Replaces, removes or adds one member below `value`; `turns` select the place. */
function changeMember(value: unknown, turns: readonly number[], odd: unknown): unknown {
  const [turn = 0, ...further] = turns;
  if (typeof value !== 'object' || value === null || turns.length === 0) return odd;
  const keys = Object.keys(value);
  const key = keys[turn % Math.max(1, keys.length)];
  if (Array.isArray(value)) {
    const index = Number(key ?? 0);
    return value.map((one, at) =>
      at === index ? changeMember(one, further, odd) : (one as unknown),
    );
  }
  if (key === undefined || turn % 13 === 12) return { ...value, unknownField: odd };
  const { [key]: member, ...rest } = value as Record<string, unknown>;
  return turn % 13 === 11 ? rest : { ...rest, [key]: changeMember(member, further, odd) };
}

/** Messages of the corpus with some members changed. Most stay valid, so that they pass the first check. */
export function mutatedMessages(corpus: readonly unknown[]): fc.Arbitrary<unknown> {
  const change = fc.record({
    turns: fc.array(fc.nat({ max: 200 }), { maxLength: 6 }),
    odd: oddValue,
  });
  return fc
    .record({ from: fc.constantFrom(...corpus), changes: fc.array(change, { maxLength: 3 }) })
    .map(({ from, changes }) =>
      changes.reduce<unknown>((value, { turns, odd }) => changeMember(value, turns, odd), from),
    );
}
