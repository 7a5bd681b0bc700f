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
  readonly #onPlay = (): void => {
    this.#wanted = true;
  };
  readonly #onPause = (): void => {
    if (!this.#video.ended && !this.#video.error) this.#wanted = false;
  };
  readonly #onCanPlay = (): void => {
    if (this.#wanted && this.#video.paused && !this.#video.ended) this.#start();
  };

  constructor(video: HTMLVideoElement, onProblem: (code: string, message: string) => void) {
    this.#video = video;
    this.#onProblem = onProblem;
    this.#wanted = video.autoplay;
    video.addEventListener('play', this.#onPlay);
    video.addEventListener('pause', this.#onPause);
    video.addEventListener('canplay', this.#onCanPlay);
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
    this.#video.removeEventListener('play', this.#onPlay);
    this.#video.removeEventListener('pause', this.#onPause);
    this.#video.removeEventListener('canplay', this.#onCanPlay);
  }

  #start(): void {
    this.#video.play().catch((error: unknown) => {
      const name = error instanceof DOMException ? error.name : '';
      if (name === 'NotAllowedError') {
        this.#onProblem(
          'autoplay-blocked',
          'The browser requires a click before it plays audio: press play.',
        );
      } else if (name !== 'AbortError') {
        // AbortError: a pause or a new source overtook the request to play.
        this.#onProblem('play-failed', `Playback could not start: ${String(error)}`);
      }
    });
  }
}
