import uPlot from 'uplot';
import type { RequestBar, RunData } from '../report-data';
import { baseOptions, type ChartSize } from './charts';
import { clipped, eventMarks, stallBands } from './overlay';
import { fade, rungColour, themeColour } from './theme';

/** Segments over time: time on the x axis, position in the film on the y axis. */
export function drawRequests(
  target: HTMLElement,
  run: RunData,
  size: ChartSize,
  syncKey: string,
): uPlot {
  const tops = run.requests.map((bar) => bar.mediaS + bar.mediaDurationS);
  const topS = tops.reduce((a, b) => Math.max(a, b), 1);
  const low = run.requests.reduce((least, bar) => Math.min(least, bar.mediaS), topS);
  const options = baseOptions(run, size, syncKey, 'seconds of film');
  const tip = document.createElement('div');
  tip.className = 'tip';
  const plot = new uPlot(
    {
      ...options,
      scales: { ...options.scales, y: { range: () => [low, topS] } },
      series: [
        { label: 'time', value: (_plot, value: number | null) => seconds(value) },
        {
          label: 'on screen',
          stroke: themeColour('text'),
          width: 1.5,
          points: { show: false },
          value: (_plot, value: number | null) => seconds(value),
        },
      ],
      plugins: [stallBands(run), bars(run), eventMarks(run, false), tooltip(run, tip)],
    },
    [run.atS, run.positionS],
    target,
  );
  plot.over.append(tip);
  target.append(legend(run));
  return plot;
}

const seconds = (value: number | null): string => (value === null ? '–' : `${value.toFixed(1)} s`);

/** Video takes the upper part of its segment's row, audio the lower. */
function rows(bar: RequestBar): { fromS: number; toS: number } {
  const split = bar.mediaS + bar.mediaDurationS * 0.35;
  return bar.audio
    ? { fromS: bar.mediaS, toS: split }
    : { fromS: split, toS: bar.mediaS + bar.mediaDurationS };
}

function bars(run: RunData): uPlot.Plugin {
  return {
    hooks: {
      drawAxes: (plot) => {
        const { ctx } = plot;
        clipped(plot, () => {
          for (const bar of run.requests) {
            const { fromS, toS } = rows(bar);
            const left = plot.valToPos(bar.startS, 'x', true);
            const first = plot.valToPos(bar.firstByteS ?? bar.endS, 'x', true);
            const right = Math.max(left + 2, plot.valToPos(bar.endS, 'x', true));
            const top = plot.valToPos(toS, 'y', true);
            const height = Math.max(2, plot.valToPos(fromS, 'y', true) - top);
            const colour = bar.audio ? '#8a8f98' : rungColour(bar.rung, run.rungLabels.length);
            ctx.fillStyle = fade(colour, 0.35);
            ctx.fillRect(left, top, first - left, height);
            ctx.fillStyle = colour;
            ctx.fillRect(first, top, Math.max(1, right - first), height);
            // The outline keeps pale and dark rungs visible in either scheme.
            ctx.strokeStyle = themeColour('muted');
            ctx.lineWidth = 0.75 * devicePixelRatio;
            ctx.strokeRect(left, top, right - left, height);
            if (bar.outcome !== 'ok') cross(ctx, left, right, top, height, bar.outcome);
          }
        });
      },
    },
  };
}

/** Abandoned: a frame and one stroke; failed: a cross. The shape distinguishes them without colour. */
function cross(
  ctx: CanvasRenderingContext2D,
  left: number,
  right: number,
  top: number,
  height: number,
  outcome: 'abandoned' | 'failed',
): void {
  ctx.strokeStyle = '#D55E00';
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.strokeRect(left, top, right - left, height);
  ctx.beginPath();
  ctx.moveTo(left, top + height);
  ctx.lineTo(right, top);
  if (outcome === 'failed') {
    ctx.moveTo(left, top);
    ctx.lineTo(right, top + height);
  }
  ctx.stroke();
}

function tooltip(run: RunData, tip: HTMLElement): uPlot.Plugin {
  return {
    hooks: {
      setCursor: (plot) => {
        const { left = -1, top = -1 } = plot.cursor;
        const atS = plot.posToVal(left, 'x');
        const mediaS = plot.posToVal(top, 'y');
        const hit =
          left < 0 || top < 0
            ? undefined
            : run.requests.find((bar) => {
                const { fromS, toS } = rows(bar);
                const inTime = atS >= bar.startS - 0.05 && atS <= bar.endS + 0.05;
                return inTime && mediaS >= fromS && mediaS <= toS;
              });
        tip.hidden = !hit;
        tip.textContent = hit?.label ?? '';
        const flip = left > plot.over.clientWidth / 2;
        tip.style.left = flip ? 'auto' : `${left + 12}px`;
        tip.style.right = flip ? `${plot.over.clientWidth - left + 12}px` : 'auto';
        tip.style.top = `${Math.max(0, top - 28)}px`;
      },
    },
  };
}

function legend(run: RunData): HTMLElement {
  const list = document.createElement('ul');
  list.className = 'swatches';
  const add = (text: string, colour: string, className = ''): void => {
    const item = document.createElement('li');
    const swatch = document.createElement('i');
    swatch.style.background = colour;
    swatch.className = className;
    item.append(swatch, text);
    list.append(item);
  };
  for (const [rung, label] of run.rungLabels.entries()) {
    add(label, rungColour(rung, run.rungLabels.length));
  }
  if (run.requests.some((bar) => bar.audio)) add('audio', '#8a8f98');
  if (run.requests.some((bar) => bar.outcome === 'abandoned')) add('given up', '', 'abandoned');
  if (run.requests.some((bar) => bar.outcome === 'failed')) add('failed', '', 'failed');
  return list;
}
