import { InvalidArgumentError } from 'commander';
import type { TimelineEvent } from '../../scenario';

/** A change of an emulated path during a demo. */
export type DemoLinkEvent = Extract<TimelineEvent, { kind: 'link-state' }>;

/** Parses `15s:path2:down` and appends it to the earlier ones. */
export function collectLinkEvent(text: string, earlier: DemoLinkEvent[] = []): DemoLinkEvent[] {
  const match = /^(\d+(?:\.\d+)?)s:(path\d+):(up|down|blackhole)$/.exec(text);
  if (match === null) {
    throw new InvalidArgumentError('write it like 15s:path2:down (or up, blackhole)');
  }
  const [, seconds = '', link = '', state = ''] = match;
  const atMs = Number(seconds) * 1000;
  return [...earlier, { atMs, kind: 'link-state', link, state: state as DemoLinkEvent['state'] }];
}
