import { InvalidArgumentError } from 'commander';
import type { Lab } from '../lab';

/** Something that happens to an emulated path while a demo plays. */
export interface LinkEventSpec {
  atMs: number;
  pathId: string;
  state: 'up' | 'down' | 'blackhole';
}

/** Reads `15s:path2:down` and adds it to those before. */
export function collectLinkEvent(text: string, earlier: LinkEventSpec[] = []): LinkEventSpec[] {
  const match = /^(\d+(?:\.\d+)?)s:(path\d+):(up|down|blackhole)$/.exec(text);
  if (match === null) {
    throw new InvalidArgumentError('write it like 15s:path2:down (or up, blackhole)');
  }
  const [, seconds = '', pathId = '', state = ''] = match;
  return [
    ...earlier,
    { atMs: Number(seconds) * 1000, pathId, state: state as LinkEventSpec['state'] },
  ];
}

/** Carries out the events from now on; returns the function that calls off what is left. */
export function scheduleLinkEvents(
  events: readonly LinkEventSpec[],
  lab: Pick<Lab, 'setLink'>,
  onFailure: (error: unknown) => void,
): () => void {
  const timers = events.map((event) =>
    setTimeout(() => {
      lab.setLink(event.pathId, { state: event.state }).catch(onFailure);
    }, event.atMs),
  );
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
