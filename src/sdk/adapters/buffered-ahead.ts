/** A position this little before a buffered range counts as inside it. */
const EDGE_SECONDS = 0.1;

/** Media buffered ahead of the playhead, in milliseconds. */
export function bufferedAheadMs(video: Pick<HTMLVideoElement, 'buffered' | 'currentTime'>): number {
  const { buffered, currentTime } = video;
  for (let index = 0; index < buffered.length; index += 1) {
    const end = buffered.end(index);
    if (buffered.start(index) - EDGE_SECONDS <= currentTime && currentTime <= end) {
      return Math.max(0, (end - currentTime) * 1000);
    }
  }
  return 0;
}
