/** Text for people. Rates are decimal (1 Mbit = 1e6 bit), bytes are decimal (1 kB = 1000 B). */

function scaled(value: number, units: readonly string[]): string {
  if (!Number.isFinite(value)) return `? ${units[0] ?? ''}`;
  let scaledValue = Math.abs(value);
  let index = 0;
  // 999.95 would print as "1000.0": use the next unit first.
  while (scaledValue >= 999.5 && index < units.length - 1) {
    scaledValue /= 1000;
    index += 1;
  }
  const digits = index === 0 || scaledValue >= 99.95 ? 0 : 1;
  return `${value < 0 ? '-' : ''}${scaledValue.toFixed(digits)} ${units[index] ?? ''}`;
}

/** `5_230_000` -> `5.2 Mbit/s`. */
export function formatBitRate(rateBps: number): string {
  return scaled(rateBps, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s']);
}

/** `1_530_000` -> `1.5 MB`. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, ['B', 'kB', 'MB', 'GB']);
}

/** A share in per cent: `0.256` -> `26 %`. */
export function formatShare(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/** `12_340` -> `12.3 s`. For a column of one unit; `formatDuration` chooses the unit. */
export function formatSeconds(durationMs: number, digits = 1): string {
  return `${(durationMs / 1000).toFixed(digits)} s`;
}

/** `toFixed` without the sign of a negative zero: `-0.001` -> `0.00`. */
export function formatFixed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/^-(?=[0.]+$)/, '');
}

/** `830` -> `830 ms`, `12_340` -> `12.3 s`, `125_000` -> `2 min 5 s`. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs)) return '? s';
  if (Math.abs(durationMs) < 999.5) return `${durationMs.toFixed(0)} ms`;
  if (Math.abs(durationMs) < 119_500) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.trunc(seconds / 60)} min ${Math.abs(seconds % 60)} s`;
}
