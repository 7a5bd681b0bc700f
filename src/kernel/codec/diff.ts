import type { ConnectionSample, PathEvent, SampleBatch, SubflowSample } from '../../core';
import { formatEndpoint } from './address';

const usable = (subflow: SubflowSample | undefined): boolean =>
  subflow?.state === 'active' || subflow?.state === 'backup';

/**
 * Subflow events of MPTCP connections between two batches. Plain TCP sockets have no paths and give no
 * events.
 */
export function diffBatches(before: SampleBatch | undefined, now: SampleBatch): PathEvent[] {
  const events: PathEvent[] = [];
  const earlier = new Map(before?.connections.map((item) => [item.connectionId, item]));

  const emit = (
    kind: PathEvent['kind'],
    connection: ConnectionSample,
    subflow: SubflowSample,
    detail: string,
    more: Pick<PathEvent, 'backup' | 'connectionEnded'> = {},
  ): void => {
    events.push({
      monotonicMs: now.monotonicMs,
      kind,
      pathId: subflow.pathId,
      interfaceName: subflow.interfaceName,
      connectionId: connection.connectionId,
      subflowId: subflow.subflowId,
      detail,
      ...more,
    });
  };
  const ends = (subflow: SubflowSample): string =>
    `${formatEndpoint(subflow.local)} to ${formatEndpoint(subflow.remote)}`;

  for (const connection of now.connections) {
    if (connection.kind === 'tcp') continue;
    const old = earlier.get(connection.connectionId);
    earlier.delete(connection.connectionId);
    const gone = new Map(old?.subflows.map((subflow) => [subflow.subflowId, subflow]));
    const ended = connection.subflows.some(usable) ? {} : { connectionEnded: true };
    for (const subflow of connection.subflows) {
      const was = gone.get(subflow.subflowId);
      gone.delete(subflow.subflowId);
      if (usable(subflow) && !usable(was)) {
        emit('subflow-established', connection, subflow, `joined: ${ends(subflow)}`);
      } else if (!usable(subflow) && usable(was)) {
        emit('subflow-closed', connection, subflow, `closed: ${ends(subflow)}`, ended);
      } else if (usable(was) && was && was.state !== subflow.state) {
        const backup = subflow.state === 'backup';
        const detail = backup ? 'now a backup' : 'active again';
        emit('subflow-priority', connection, subflow, detail, { backup });
      }
    }
    for (const subflow of gone.values()) {
      if (usable(subflow))
        emit('subflow-closed', connection, subflow, `closed: ${ends(subflow)}`, ended);
    }
  }
  for (const connection of earlier.values()) {
    if (connection.kind === 'tcp') continue;
    for (const subflow of connection.subflows) {
      if (!usable(subflow)) continue;
      const ended = { connectionEnded: true };
      emit('subflow-closed', connection, subflow, 'the connection closed', ended);
    }
  }
  return events;
}
