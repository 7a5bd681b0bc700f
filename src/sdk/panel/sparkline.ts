import { svgElement } from './dom';

const WIDTH = 120;
const HEIGHT = 28;

/**
 * A line of past values over a soft area. Purely visual: the row shows the numbers. Without d3-shape, because it is in the
 * SDK's budget and this is one `join`.
 */
export class Sparkline {
  readonly node: SVGSVGElement;
  readonly #line: SVGPathElement;
  readonly #area: SVGPathElement;
  readonly #points: number;

  /** @param points values across the full width */
  constructor(points: number) {
    this.#points = points;
    this.#area = svgElement('path', { class: 'area' });
    this.#line = svgElement('path', { class: 'line' });
    this.node = svgElement('svg', {
      class: 'spark',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    });
    this.node.append(this.#area, this.#line);
  }

  /** @param top the value at the upper edge, the same for all paths, so that they are comparable */
  draw(values: readonly number[], top: number): void {
    if (values.length === 0) return;
    const step = WIDTH / (this.#points - 1);
    const left = WIDTH - (values.length - 1) * step;
    const scale = (HEIGHT - 2) / Math.max(1, top);
    const points = values.map((value, index) => {
      const x = (left + index * step).toFixed(1);
      return `${x},${(HEIGHT - 1 - value * scale).toFixed(1)}`;
    });
    const line = `M${points.join('L')}`;
    this.#line.setAttribute('d', line);
    this.#area.setAttribute('d', `${line}L${WIDTH},${HEIGHT}L${left.toFixed(1)},${HEIGHT}Z`);
  }
}
