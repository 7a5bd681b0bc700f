import { deepStrictEqual } from 'node:assert';
import {
  parseFeedDown,
  parseFeedUp,
  parseGatewayTarget,
  parseLogEvent,
  parseNetworks,
  type Parsed,
} from '../../src/ipc';
import { mutatedMessages, readCorpus } from './mutate';
import { propertyTarget } from './target';

const parsers: readonly ((input: unknown) => Parsed<unknown>)[] = [
  parseFeedUp,
  parseFeedDown,
  parseLogEvent,
  parseNetworks,
];

/** Messages are refused with a reason or accepted as they are: the same after another check and after JSON. */
export const ipcTarget = propertyTarget(
  'ipc',
  () =>
    mutatedMessages(
      readCorpus('ipc').map((bytes) => JSON.parse(bytes.toString('utf8')) as unknown),
    ),
  (message) => {
    parseGatewayTarget(typeof message === 'string' ? message : JSON.stringify(message));
    for (const parse of parsers) {
      const parsed = parse(message);
      if (!parsed.ok) {
        if (parsed.error === '') throw new Error('refused without a reason');
        continue;
      }
      const again = parse(parsed.value);
      if (!again.ok) throw new Error(`accepted first, then refused: ${again.error}`);
      deepStrictEqual(again.value, parsed.value);
    }
  },
);
