/** Number of outcomes of each version of the program, that of the first job first. */
export type ProgramCounts = ReadonlyMap<string, number>;

/** @param programs the version that gave each outcome */
export function programCounts(programs: Iterable<string>): ProgramCounts {
  const counts = new Map<string, number>();
  for (const program of programs) counts.set(program, (counts.get(program) ?? 0) + 1);
  return counts;
}

/** `0.1.0`, or `0.1.0 (39 jobs) and 0.2.0 (1 job)`. */
export function programsText(programs: ProgramCounts): string {
  const [only, ...others] = programs.keys();
  if (only !== undefined && others.length === 0) return only;
  return [...programs]
    .map(([program, jobs]) => `${program} (${jobs} ${jobs === 1 ? 'job' : 'jobs'})`)
    .join(' and ');
}
