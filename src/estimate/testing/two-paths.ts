import { forecast } from '..';
import { FluidClient } from './fluid-link';

/** Bytes of a segment. */
export const SEGMENT = 1_400_000;

/** The forecast of one path. */
export function pathOf(client: FluidClient, id: string) {
  const found = forecast(client.state, client.nowMs).paths.find((path) => path.pathId === id);
  if (!found) throw new Error(`no forecast for ${id}`);
  return found;
}

export function twoPaths(wifiBps = 5e6, lteBps = 2e6): FluidClient {
  return new FluidClient([
    { id: 'wifi', rateBps: wifiBps },
    { id: 'lte', rateBps: lteBps },
  ]);
}
