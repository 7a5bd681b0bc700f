export interface SippCalls {
  started: number;
  completed: number;
  failed: number;
}

/**
 * Calls by the last line of a SIPp statistics file (`-trace_stat`): a header line, then counters, separated
 * by `;`.
 * @throws Error if the file has no line of counters yet
 */
export function parseSippStatistics(text: string): SippCalls {
  const lines = text.split('\n').filter((line) => line.includes(';'));
  const header = lines[0]?.split(';') ?? [];
  const last = lines.length < 2 ? undefined : lines.at(-1)?.split(';');
  const count = (name: string): number => {
    const value = Number(last?.[header.indexOf(name)]);
    if (!header.includes(name) || !Number.isInteger(value)) {
      throw new Error(`SIPp's statistics have no ${name}`);
    }
    return value;
  };
  return {
    started: count('TotalCallCreated'),
    completed: count('SuccessfulCall(C)'),
    failed: count('FailedCall(C)'),
  };
}
