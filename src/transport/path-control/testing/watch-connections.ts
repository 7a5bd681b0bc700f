import { toSampleBatch } from '../../codec';
import { loadNative } from '../../native';
import type { SharedPathControl } from '..';

/**
 * What a page's session does: shows the control the connections of its stream, again and again. Returns what
 * ends it.
 */
export function watchConnections(
  shared: SharedPathControl,
  tokens: ReadonlySet<number>,
): () => void {
  const native = loadNative();
  const page = {};
  const look = (): void => {
    const { connections, ...rest } = native.snapshot();
    const own = connections.filter(({ token }) => tokens.has(token));
    const context = { interfaceOf: () => undefined, wanted: () => true, lostSamples: 0 };
    const subflows = rest.subflows.filter(({ token }) => token !== undefined && tokens.has(token));
    shared.observe(page, toSampleBatch({ ...rest, subflows, connections: own }, context));
  };
  const timer = setInterval(look, 50);
  look();
  return () => clearInterval(timer);
}
