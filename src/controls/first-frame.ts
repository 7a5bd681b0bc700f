/** Longest wait for a first frame. Chosen; no measurement. */
const PATIENCE_MS = 1000;

/**
 * Runs work that would delay the first frame of a starting stream, once: after that frame, when the viewer does something, or
 * after a second.
 */
export function afterFirstFrame(video: HTMLVideoElement, work: () => void): void {
  const over = new AbortController();
  const run = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    clearTimeout(timer);
    work();
  };
  const timer = setTimeout(run, PATIENCE_MS);
  const listening = { signal: over.signal, capture: true };
  // Other listeners learn of the frame first, so that they measure the start.
  video.requestVideoFrameCallback(() => setTimeout(run));
  for (const name of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
    window.addEventListener(name, run, listening);
  }
}
