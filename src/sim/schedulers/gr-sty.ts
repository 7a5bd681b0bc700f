import { Sticky } from './sticky';

/** GR-STY: greedy, stays on whatever path it had to go to (paper `sticky-path-switching`, section V). */
export class GrSty extends Sticky {
  override readonly name = 'gr-sty';

  protected override commits(): boolean {
    return true;
  }
}
