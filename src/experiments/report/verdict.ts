/** A statement of a paper, judged. null: these trials cannot decide it. */
interface Judged {
  agrees: boolean | null;
}

export function verdictText({ agrees }: Judged): string {
  if (agrees === null) return 'undecided';
  return agrees ? 'agrees' : 'differs';
}

/**
 * One sentence with the number of statements that agree.
 * @param what "statements of the paper", "goals"
 * @param how "was measured", "was simulated"
 */
export function summaryText(claims: readonly Judged[], what: string, how: string): string {
  const count = (agrees: boolean | null): number =>
    claims.filter((claim) => claim.agrees === agrees).length;
  return `Of ${claims.length} ${what}, ${count(true)} agree with what ${how} here, ${count(false)} differ, ${count(null)} are undecided by these trials.`;
}
