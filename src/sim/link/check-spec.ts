import type { BurstLossSpec, DirectionSpec, OutageSpec, TraceSpec } from '../../scenario';

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

function checkRatio(link: string, field: string, ratio: number | undefined): void {
  if (ratio === undefined || (ratio >= 0 && ratio <= 1)) return;
  refuse(link, field, ratio, 'between 0 and 1');
}

function checkAbove0(link: string, field: string, value: number | undefined): void {
  if (value === undefined || value > 0) return;
  refuse(link, field, value, 'above 0');
}

function checkBurstLoss(link: string, spec: BurstLossSpec): void {
  checkRatio(link, 'burstLoss.goodToBad', spec.goodToBad);
  checkRatio(link, 'burstLoss.badToGood', spec.badToGood);
  checkRatio(link, 'burstLoss.lossBad', spec.lossBad);
  checkRatio(link, 'burstLoss.lossGood', spec.lossGood);
}

function checkTrace(link: string, { steps }: TraceSpec): void {
  if (steps.length === 0) refuse(link, 'trace.steps', 'of length 0', 'one step or more');
  for (const [index, { rateBps, delayMs, durationMs }] of steps.entries()) {
    const field = `trace.steps[${index}]`;
    checkRate(link, `${field}.rateBps`, rateBps);
    checkDelay(link, `${field}.delayMs`, delayMs);
    checkAbove0(link, `${field}.durationMs`, durationMs);
  }
}

/** An empty list is valid: it ends the outages set before. */
function checkOutages(link: string, { outages, periodMs }: OutageSpec): void {
  let endMs = 0;
  for (const [index, { atMs, durationMs }] of outages.entries()) {
    const field = `outages.outages[${index}]`;
    checkDelay(link, `${field}.atMs`, atMs);
    checkAbove0(link, `${field}.durationMs`, durationMs);
    if (atMs < endMs) refuse(link, `${field}.atMs`, atMs, 'after the outage before it');
    endMs = atMs + durationMs;
  }
  checkAbove0(link, 'outages.periodMs', periodMs);
  if (periodMs === undefined || periodMs >= endMs) return;
  refuse(link, 'outages.periodMs', periodMs, `as long as its outages, ${endMs} ms`);
}

/**
 * Checks a link specification that did not pass the scenario parser. A rate of 0 is valid: packets stand
 * still until it changes.
 * @throws RangeError that names the link and the field
 */
export function checkDirection(link: string, spec: Partial<DirectionSpec>): void {
  checkRate(link, 'rateBps', spec.rateBps);
  checkDelay(link, 'delayMs', spec.delayMs);
  checkRatio(link, 'lossRatio', spec.lossRatio);
  checkAbove0(link, 'queueBytes', spec.queueBytes);
  if (spec.burstLoss !== undefined) checkBurstLoss(link, spec.burstLoss);
  if (spec.jitter !== undefined) checkDelay(link, 'jitter.spreadMs', spec.jitter.spreadMs);
  if (spec.outages !== undefined) checkOutages(link, spec.outages);
  if (spec.trace !== undefined) checkTrace(link, spec.trace);
}
