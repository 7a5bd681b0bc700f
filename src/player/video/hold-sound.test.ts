import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../ports/testing/fake-clock';
import { holdSound } from './hold-sound';

const page = { hidden: false };
beforeEach(() => {
  page.hidden = false;
  vi.stubGlobal('document', page);
});
afterEach(() => vi.unstubAllGlobals());

/** A film whose shared buffer ends at `bufferedSeconds`; its sound plays on at the element's speed. */
class Film {
  currentTime = 0;
  duration = 60;
  playbackRate = 1;
  paused = false;
  seeking = false;
  bufferedSeconds = 4;
  readonly clock = createFakeClock();
  readonly end: () => void;

  constructor() {
    this.end = holdSound(this as unknown as HTMLVideoElement, this.clock);
  }

  get buffered(): Pick<TimeRanges, 'length' | 'end'> {
    return { length: 1, end: () => this.bufferedSeconds };
  }

  play(seconds: number): void {
    for (let step = 0; step < seconds * 20; step += 1) {
      this.clock.advance(50);
      if (!this.paused) this.currentTime += 0.05 * this.playbackRate;
    }
  }
}

it('the sound stops 0.3 to 0.4 s after the picture has run out, and goes on with the next segment', () => {
  const film = new Film();
  film.playbackRate = 1.5;
  film.play(10);
  expect(film.playbackRate).toBe(0);
  expect(film.currentTime).toBeGreaterThanOrEqual(4.3);
  expect(film.currentTime).toBeLessThan(4.6);
  film.bufferedSeconds = 6;
  film.play(0.1);
  expect(film.playbackRate).toBe(1.5);
});

it('a late segment of less than 0.3 s stops nothing', () => {
  const film = new Film();
  film.play(4.2);
  film.bufferedSeconds = 6;
  film.play(0.5);
  expect(film.currentTime).toBeCloseTo(4.7);
});

it('the viewer chooses another speed, pauses or seeks while the sound is held', () => {
  const film = new Film();
  film.play(6);
  film.paused = true;
  film.currentTime = 1;
  film.play(0.1);
  expect(film.playbackRate).toBe(1);
  film.paused = false;
  film.play(6);
  expect(film.playbackRate).toBe(0);
  film.playbackRate = 2;
  film.bufferedSeconds = 20;
  film.play(0.2);
  expect(film.playbackRate).toBe(2);
});

it('a hidden page is heard and not seen: its sound goes on', () => {
  const film = new Film();
  film.play(6);
  expect(film.playbackRate).toBe(0);
  page.hidden = true;
  film.play(2);
  expect(film.playbackRate).toBe(1);
  expect(film.currentTime).toBeGreaterThan(6);
});

it('neither a live stream, nor the last 2 s, nor a paused film is held; the end gives the speed back', () => {
  const live = new Film();
  live.duration = Infinity;
  live.play(6);
  expect(live.playbackRate).toBe(1);
  const short = new Film();
  short.duration = 6;
  short.play(6);
  expect(short.playbackRate).toBe(1);
  const paused = new Film();
  paused.paused = true;
  paused.currentTime = 5;
  paused.play(1);
  expect(paused.playbackRate).toBe(1);
  const ended = new Film();
  ended.play(6);
  ended.end();
  expect(ended.playbackRate).toBe(1);
  ended.play(2);
  expect(ended.playbackRate).toBe(1);
});
