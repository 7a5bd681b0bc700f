/** Numbers for the panel: short, and of constant width if they change fast. */

export function megabits(rateBps: number): string {
  return (rateBps / 1e6).toFixed(rateBps >= 99.95e6 ? 0 : rateBps >= 9.995e6 ? 1 : 2);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function clockTime(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
