import type { BrainConfig } from '../../brain';
import {
  Dash2016,
  Mcc,
  PathUseDecision,
  schedulers,
  congestionControls,
  type CreateCongestion,
  type MccReading,
  type MptcpOptions,
  type PathUseOptions,
  type SimPlayer,
} from '../../sim';

export const VARIANTS = [
  'mptcp',
  'mptcp-plus',
  'pud-only',
  'mcc-only',
  'mcc-round',
  'mcc-unsmoothed',
  'client-pud',
  'client-model',
  'client-ours',
  'fast-alone',
] as const;
export type Variant = (typeof VARIANTS)[number];

/** The systems of the lab, by their players in `scenarios/mptcp-plus`. `ranges`: our player over byte ranges. */
export const KERNEL_SYSTEMS = [
  'mptcp',
  'mptcp-plus',
  'client-pud',
  'client-model',
  'client-ours',
  'ranges',
] as const;
/** System of a session, simulated or in the lab. */
export type System = Variant | (typeof KERNEL_SYSTEMS)[number];

export const SYSTEM_TITLES: Readonly<Record<System, string>> = {
  mptcp: 'MPTCP',
  'mptcp-plus': 'MPTCP+',
  'pud-only': 'Path use decision alone',
  'mcc-only': 'MCC alone',
  'mcc-round': 'MCC alone, per round trip',
  'mcc-unsmoothed': 'MCC alone, theta = 1',
  'client-pud': 'Client: path use decision',
  'client-model': 'Client: model',
  'client-ours': 'Client: model, multipath rule',
  ranges: 'Byte ranges, multipath rule',
  'fast-alone': 'The fast path alone',
};

/** The features of both ends of a connection, and the deciding side. */
export interface VariantParts {
  createCongestion: CreateCongestion;
  createScheduler: MptcpOptions['createScheduler'];
  player: SimPlayer;
  /** The client has the fast path only. */
  isAlone?: boolean;
}

/** The paper's client is dash.js of 2016; ours decides paths and bitrate together. */
const rule = (policy?: BrainConfig): SimPlayer => ({
  kind: 'controller',
  create: () => new Dash2016(),
  ...(policy === undefined ? {} : { policy }),
});

const { lia } = congestionControls;
const mcc =
  (reading?: MccReading): CreateCongestion =>
  (group) =>
    new Mcc(group, reading);

/**
 * The compared variants. The server of MPTCP+ decides and smooths; for client-only variants the server has
 * plain MPTCP.
 * @param pathUse of the sender's decision
 */
export function variantParts(variant: Variant, pathUse: PathUseOptions): VariantParts {
  const plain = schedulers['min-rtt'];
  // The server's data is the video: what the client sends are requests.
  const deciding: MptcpOptions['createScheduler'] = (_, end) =>
    end === 'server' ? new PathUseDecision(plain(), pathUse) : plain();
  switch (variant) {
    case 'mptcp':
      return { createCongestion: lia, createScheduler: plain, player: rule() };
    case 'fast-alone':
      return { ...variantParts('mptcp', pathUse), isAlone: true };
    case 'mptcp-plus':
      return { createCongestion: mcc(), createScheduler: deciding, player: rule() };
    case 'pud-only':
      return { createCongestion: lia, createScheduler: deciding, player: rule() };
    case 'mcc-only':
      return { createCongestion: mcc(), createScheduler: plain, player: rule() };
    case 'mcc-round':
      return { createCongestion: mcc('per-round'), createScheduler: plain, player: rule() };
    case 'mcc-unsmoothed':
      return { createCongestion: mcc('none'), createScheduler: plain, player: rule() };
    case 'client-pud': {
      const player = rule({ policy: 'path-use-decision', abr: 'multipath' });
      return { createCongestion: lia, createScheduler: plain, player };
    }
    case 'client-model': {
      const player = rule({ policy: 'model', abr: 'multipath' });
      return { createCongestion: lia, createScheduler: plain, player };
    }
    case 'client-ours': {
      const config = { policy: 'model', abr: 'multipath' } as const;
      return { createCongestion: lia, createScheduler: plain, player: { kind: 'brain', config } };
    }
  }
}
