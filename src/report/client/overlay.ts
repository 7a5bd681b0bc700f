import type { RunData } from '../report-data';
import { themeColour } from './theme';

/** Stalls as bands behind the data. */
export function stallBands(run: Pick<RunData, 'stalls'>): uPlot.Plugin {
  return {
    hooks: {
      drawClear: (plot) => {
        const { ctx, bbox } = plot;
        clipped(plot, () => {
          ctx.fillStyle = themeColour('stall');
          for (const stall of run.stalls) {
            const left = plot.valToPos(stall.startS, 'x', true);
            const right = plot.valToPos(stall.endS, 'x', true);
            ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
          }
        });
      },
    },
  };
}

/** Path events as dashed lines, with their names where there is room. */
export function eventMarks(run: Pick<RunData, 'events'>, withLabels: boolean): uPlot.Plugin {
  return {
    hooks: {
      draw: (plot) => {
        const { ctx, bbox } = plot;
        const scale = devicePixelRatio;
        clipped(plot, () => {
          ctx.font = `${12 * scale}px system-ui, sans-serif`;
          ctx.lineWidth = scale;
          const rowEnds: number[] = [];
          for (const mark of run.events) {
            const x = Math.round(plot.valToPos(mark.atS, 'x', true));
            ctx.strokeStyle = themeColour(mark.lost ? 'text' : 'muted');
            ctx.setLineDash(mark.lost ? [4 * scale, 3 * scale] : [scale, 3 * scale]);
            ctx.beginPath();
            ctx.moveTo(x, bbox.top);
            ctx.lineTo(x, bbox.top + bbox.height);
            ctx.stroke();
            if (!withLabels) continue;
            const width = ctx.measureText(mark.label).width + 8 * scale;
            const row = [0, 1, 2].find((one) => (rowEnds[one] ?? -Infinity) < x);
            if (row === undefined) continue;
            rowEnds[row] = x + width;
            const atRight = x + width > bbox.left + bbox.width;
            ctx.textAlign = atRight ? 'right' : 'left';
            ctx.fillStyle = themeColour('text');
            ctx.fillText(
              mark.label,
              x + (atRight ? -4 : 4) * scale,
              bbox.top + (14 + row * 15) * scale,
            );
          }
          ctx.setLineDash([]);
        });
      },
    },
  };
}

/** Draws inside the plotting area only. */
export function clipped(plot: uPlot, draw: () => void): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw();
  ctx.restore();
}
