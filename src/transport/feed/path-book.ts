import type { PathEvent, PathId, SampleBatch, SubflowSample } from '../../core';
import { formatEndpoint, type MptcpEvent, type NetworkChange } from '../../kernel';

/** Maps changes of the machine to the paths of the stream. */
export interface PathBook {
  update(batch: SampleBatch): void;
  /** Stores the kernel's reason for an event. */
  onEvent(event: MptcpEvent): void;
  /** Adds that reason to its event. */
  explain(event: PathEvent): PathEvent;
  /** Returns the change as path events: one for each affected path, else one for the interface. */
  eventsOf(change: NetworkChange, monotonicMs: number): PathEvent[];
}

/** Stored reasons that wait for their event. Events after this number have no reason. */
const MAX_REASONS = 64;

/** Errors that end a subflow, by errno. */
const errorNames: Record<number, string> = {
  101: 'network unreachable',
  103: 'aborted',
  104: 'reset by the other end',
  110: 'timed out',
  111: 'refused',
  113: 'no route',
};

function describe(event: MptcpEvent): string | undefined {
  const parts: string[] = [];
  if (event.error !== undefined && event.error !== 0) {
    parts.push(errorNames[event.error] ?? `errno ${event.error}`);
  }
  if (event.resetReason !== undefined) parts.push(`MP_RST reason ${event.resetReason}`);
  return parts.length === 0 ? undefined : parts.join(', ');
}

export function createPathBook(): PathBook {
  let subflows: SubflowSample[] = [];
  const reasons = new Map<string, string>();

  const pathsWhere = (predicate: (subflow: SubflowSample) => boolean): PathId[] => [
    ...new Set(subflows.filter(predicate).map((subflow) => subflow.pathId)),
  ];

  return {
    update(batch) {
      subflows = batch.connections.flatMap((connection) => connection.subflows);
    },
    onEvent(event) {
      const reason = describe(event);
      if (event.kind !== 'subflow-closed' || !event.local || !event.remote || !reason) return;
      if (reasons.size >= MAX_REASONS) reasons.clear();
      reasons.set(`${formatEndpoint(event.local)} to ${formatEndpoint(event.remote)}`, reason);
    },
    explain(event) {
      if (event.kind !== 'subflow-closed' || event.detail === undefined) return event;
      for (const [ends, reason] of reasons) {
        if (!event.detail.endsWith(ends)) continue;
        reasons.delete(ends);
        return { ...event, detail: `${event.detail} (${reason})` };
      }
      return event;
    },
    eventsOf({ kind, interfaceName, address, detail }, monotonicMs) {
      const touched =
        address === undefined
          ? pathsWhere((subflow) => subflow.interfaceName === interfaceName)
          : pathsWhere((subflow) => subflow.local.address === address);
      // An address without a path is not a lost path.
      const fallback = kind === 'address-removed' ? undefined : interfaceName;
      const paths = touched.length > 0 || fallback === undefined ? touched : [fallback];
      const event: PathEvent = { monotonicMs, kind, interfaceName, address, detail };
      return paths.length === 0 ? [event] : paths.map((pathId) => ({ ...event, pathId }));
    },
  };
}
