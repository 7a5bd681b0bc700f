/**
 * The viewer's intent to play, expressed through this class or the element's own controls. The element alone
 * cannot give it: dash.js loads a source into it late, and another one when it resets the decoder. Both pause
 * the element without an event of the viewer.
 */
export class PlayIntent {
  readonly #video: HTMLVideoElement;
  readonly #onProblem: (code: string, message: string) => void;
  #wanted: boolean;
  #ready = false;
  readonly #listening = new AbortController();

  constructor(video: HTMLVideoElement, onProblem: (code: string, message: string) => void) {
    this.#video = video;
    this.#onProblem = onProblem;
    this.#wanted = video.autoplay;
    const on = (event: string, listener: () => void): void =>
      video.addEventListener(event, listener, { signal: this.#listening.signal });
    on('play', () => (this.#wanted = true));
    on('pause', () => {
      if (!video.ended && !video.error) this.#wanted = false;
    });
    on('canplay', () => {
      if (this.#wanted && video.paused && !video.ended) this.#start();
    });
  }

  play(): void {
    this.#wanted = true;
    // Loading a new source cancels an earlier request to play.
    if (this.#ready) this.#start();
  }

  pause(): void {
    this.#wanted = false;
    this.#video.pause();
  }

  /** The element now has the stream's source. */
  ready(): void {
    this.#ready = true;
    if (this.#wanted) this.#start();
  }

  stop(): void {
    this.#listening.abort();
  }

  #start(): void {
    this.#video.play().catch((error: unknown) => {
      const name = error instanceof DOMException ? error.name : '';
      if (name === 'NotAllowedError') {
        this.#onProblem(
          'autoplay-blocked',
          'The browser plays audio only after a click: press play.',
        );
      } else if (name !== 'AbortError') {
        // AbortError: a pause or a new source overtook the request to play.
        this.#onProblem('play-failed', `Playback could not start: ${String(error)}`);
      }
    });
  }
}
