import type { CarriageOptions, SessionCarriage } from './carriage';
import { MptcpCarriage } from './mptcp-carriage';
import { RangeCarriage } from './range-carriage';
import type { SessionCarriageSpec } from './session-options';

/** @throws ChunkConfigError on a chunk scheduler or setting that there is not */
export function createCarriage(
  spec: SessionCarriageSpec,
  options: CarriageOptions,
): SessionCarriage {
  return spec.kind === 'mptcp' ? new MptcpCarriage(options) : new RangeCarriage(spec, options);
}
