/**
 * Sends the event `ended` that the browser leaves out: Chromium has none for a seek of a paused element to its end.
 * dash.js 5.2 waits for it. It pauses and seeks to the end of the stream when its timer is there before the event, and
 * repeats that five times a second as long as no `ended` follows. bbc/dash.js describes the same in its pull request 93.
 * @returns a function that stops it
 */
export function sendMissedEnd(video: HTMLVideoElement): () => void {
  const onSeeked = (): void => {
    if (video.ended && video.paused) video.dispatchEvent(new Event('ended'));
  };
  video.addEventListener('seeked', onSeeked);
  return () => video.removeEventListener('seeked', onSeeked);
}
