import type { DirectionSpec } from '../../scenario';

function refuse(link: string, field: string, value: unknown, wanted: string): never {
  throw new RangeError(`link ${link}: ${field} ${String(value)} is not ${wanted}`);
}

function checkRate(link: string, field: string, rateBps: number | undefined): void {
  if (rateBps === undefined || rateBps >= 0) return;
  refuse(link, field, rateBps, '0 or more bits per second');
}

function checkDelay(link: string, field: string, delayMs: number | undefined): void {
  if (delayMs === undefined || (delayMs >= 0 && delayMs < Infinity)) return;
  refuse(link, field, delayMs, 'a time in milliseconds');
}

/**
 * Checks what a link is told, for specifications that no scenario file's parser has seen. A rate of 0 is allowed: packets
 * stand still until it changes.
 * @throws RangeError naming the link and the field
 */
export function checkDirection(link: string, spec: Partial<DirectionSpec>): void {
  checkRate(link, 'rateBps', spec.rateBps);
  checkDelay(link, 'delayMs', spec.delayMs);
  const { lossRatio, trace } = spec;
  if (lossRatio !== undefined && !(lossRatio >= 0 && lossRatio <= 1)) {
    refuse(link, 'lossRatio', lossRatio, 'between 0 and 1');
  }
  if (trace === undefined) return;
  if (trace.steps.length === 0) refuse(link, 'trace.steps', 'of length 0', 'one step or more');
  for (const [index, { rateBps, delayMs, durationMs }] of trace.steps.entries()) {
    const field = `trace.steps[${String(index)}]`;
    checkRate(link, `${field}.rateBps`, rateBps);
    checkDelay(link, `${field}.delayMs`, delayMs);
    if (!(durationMs > 0)) refuse(link, `${field}.durationMs`, durationMs, 'above 0');
  }
}
