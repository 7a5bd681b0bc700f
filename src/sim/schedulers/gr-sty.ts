import { Sticky } from './sticky';

/** GR-STY: greedy, stays on any path it had to move to (paper `sticky-path-switching`, section V). */
export class GrSty extends Sticky {
  override readonly name = 'gr-sty';

  protected override commits(): boolean {
    return true;
  }
}
