import type { CarriageOptions, SessionCarriage } from './carriage';
import { MptcpCarriage } from './mptcp-carriage';
import { RangeCarriage } from './range-carriage';
import type { SessionCarriageSpec } from './session-options';

/** @throws ChunkConfigError on an unknown chunk scheduler or setting */
export function createCarriage(
  spec: SessionCarriageSpec,
  options: CarriageOptions,
): SessionCarriage {
  return spec.kind === 'mptcp' ? new MptcpCarriage(options) : new RangeCarriage(spec, options);
}
