import { LabError } from '../../src/lab';
import { listRungs } from '../../src/lab/media/mpd-segments';
import { readMpdTree } from '../../src/lab/media/mpd-tree';
import { mutated, readCorpus } from './mutate';
import { propertyTarget } from './target';

/** MPDs are read, or refused with file and line; either takes bounded time and memory. */
export const mpdTarget = propertyTarget(
  'mpd',
  () => mutated(readCorpus('mpd')),
  (bytes) => {
    try {
      const { rungs } = listRungs(readMpdTree(bytes.toString('utf8'), 'x.mpd'), 'x.mpd');
      for (const { files, durationsMs } of rungs) {
        if (files.length !== durationsMs.length) throw new Error('a segment has no duration');
        if (!durationsMs.every(Number.isFinite)) throw new Error('a duration is no number');
      }
    } catch (error) {
      if (!(error instanceof LabError && error.message.startsWith('x.mpd'))) throw error;
    }
  },
);
