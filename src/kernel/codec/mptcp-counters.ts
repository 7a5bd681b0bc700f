const PREFIX = 'MPTcpExt: ';

/** The kernel's MPTCP counters by name, from the text of /proc/net/netstat. Counters without a number are left out. */
export function mptcpCounters(netstat: string): ReadonlyMap<string, number> {
  const [names = [], values = []] = netstat
    .split('\n')
    .filter((line) => line.startsWith(PREFIX))
    .map((line) => line.slice(PREFIX.length).trim().split(/\s+/));
  const counted = names.map((name, i) => [name, Number(values[i])] as const);
  return new Map(counted.filter(([, count]) => Number.isSafeInteger(count)));
}
