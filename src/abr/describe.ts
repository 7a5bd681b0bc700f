import { formatBitRate, type Forecast } from '../core';

/** The text names the rate of the set where it is below this share of its paths' sum. */
const TOGETHER_SHARE = 0.9;

/** `wifi 4.8 + lte 1.9 Mbit/s expected; dsl lost`, or a substitute. */
export function describeForecast(forecast: Forecast): string {
  if (forecast.basis === 'requests') {
    return forecast.confidence > 0
      ? `${formatBitRate(forecast.rateBps)} expected from past downloads`
      : 'nothing measured yet';
  }
  const usable = forecast.paths.filter((path) => path.usable);
  const unused = forecast.paths.filter((path) => !path.usable);
  const out = unused.length > 0 ? `; ${unused.map((p) => p.pathId).join(', ')} not in use` : '';
  if (usable.length === 0) return `no path left${out}`;
  if (usable.length === 1) {
    return `${usable[0]?.pathId ?? ''} ${formatBitRate(forecast.rateBps)} expected${out}`;
  }
  const unit = usable.some((path) => path.rateBps >= 999_500)
    ? { divisor: 1e6, name: 'Mbit/s', digits: 1 }
    : { divisor: 1e3, name: 'kbit/s', digits: 0 };
  const parts = usable.map(
    (path) => `${path.pathId} ${(path.rateBps / unit.divisor).toFixed(unit.digits)}`,
  );
  const sumBps = usable.reduce((total, path) => total + path.rateBps, 0);
  // Included only if it matters: together these paths deliver less than the sum of their single rates.
  const together =
    forecast.rateBps < TOGETHER_SHARE * sumBps
      ? `, together ${formatBitRate(forecast.rateBps)}`
      : '';
  return `${parts.join(' + ')} ${unit.name} expected${together}${out}`;
}

/** `12 s buffered`, with a tenth below 10 s. */
export function describeBuffer(bufferMs: number): string {
  const seconds = Number.isFinite(bufferMs) ? Math.max(0, bufferMs / 1000) : 0;
  return `${seconds.toFixed(seconds < 9.95 ? 1 : 0)} s buffered`;
}
