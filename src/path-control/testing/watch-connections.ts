import { toSampleBatch, loadNative } from '../../kernel';
import type { SharedPathControl } from '..';

/**
 * Plays the part of a page's session: passes the connections of its stream to the control at an interval.
 * Returns the function that ends it.
 */
export function watchConnections(
  shared: SharedPathControl,
  tokens: ReadonlySet<number>,
  page: object = {},
): () => void {
  const native = loadNative();
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
