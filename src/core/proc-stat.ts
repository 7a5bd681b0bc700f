/**
 * A field of /proc/PID/stat, by its number in proc_pid_stat(5), from 3 on. The second one, the name in parentheses, may contain
 * any character. Undefined if it is not there.
 */
export const procStatField = (stat: string, field: number): string | undefined =>
  stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field - 3];
