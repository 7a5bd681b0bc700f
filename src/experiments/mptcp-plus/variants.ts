import type { BrainConfig } from '../../brain';
import {
  PathUseDecision,
  RateBased,
  schedulers,
  type CongestionName,
  type PathUseOptions,
  type Scheduler,
  type SimPlayer,
} from '../../sim';

export const VARIANTS = [
  'mptcp',
  'mptcp-plus',
  'pud-only',
  'mcc-only',
  'client-pud',
  'client-model',
  'client-ours',
] as const;
export type Variant = (typeof VARIANTS)[number];

export const VARIANT_TITLES: Readonly<Record<Variant, string>> = {
  mptcp: 'MPTCP',
  'mptcp-plus': 'MPTCP+',
  'pud-only': 'Path use decision alone',
  'mcc-only': 'MCC alone',
  'client-pud': 'Client: path use decision',
  'client-model': 'Client: model',
  'client-ours': 'Client: model, multipath rule',
};

/** The features of both ends of a connection, and the deciding side. */
export interface VariantParts {
  congestion: CongestionName;
  createScheduler: () => Scheduler;
  player: SimPlayer;
}

/** The paper's bitrate rule is dash.js's throughput rule; ours decides paths and bitrate together. */
const rule = (policy?: BrainConfig): SimPlayer => ({
  kind: 'controller',
  create: () => new RateBased(),
  ...(policy === undefined ? {} : { policy }),
});

/**
 * The compared variants. The server of MPTCP+ decides and smooths; for client-only variants the server has
 * plain MPTCP.
 * @param pathUse of the sender's decision
 */
export function variantParts(variant: Variant, pathUse: PathUseOptions): VariantParts {
  const plain = schedulers['min-rtt'];
  const deciding = (): Scheduler => new PathUseDecision(plain(), pathUse);
  switch (variant) {
    case 'mptcp':
      return { congestion: 'lia', createScheduler: plain, player: rule() };
    case 'mptcp-plus':
      return { congestion: 'mcc', createScheduler: deciding, player: rule() };
    case 'pud-only':
      return { congestion: 'lia', createScheduler: deciding, player: rule() };
    case 'mcc-only':
      return { congestion: 'mcc', createScheduler: plain, player: rule() };
    case 'client-pud': {
      const player = rule({ policy: 'path-use-decision', abr: 'multipath' });
      return { congestion: 'lia', createScheduler: plain, player };
    }
    case 'client-model': {
      const player = rule({ policy: 'model', abr: 'multipath' });
      return { congestion: 'lia', createScheduler: plain, player };
    }
    case 'client-ours': {
      const config = { policy: 'model', abr: 'multipath' } as const;
      return { congestion: 'lia', createScheduler: plain, player: { kind: 'brain', config } };
    }
  }
}
