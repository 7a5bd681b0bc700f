import { aheadMs } from '../../player';

/** Media buffered ahead of the playhead, in milliseconds. */
export function bufferedAheadMs(video: Pick<HTMLVideoElement, 'buffered' | 'currentTime'>): number {
  const { buffered, currentTime } = video;
  const ranges = Array.from({ length: buffered.length }, (_, index) => ({
    start: buffered.start(index),
    end: buffered.end(index),
  }));
  return aheadMs(ranges, currentTime);
}
