import { DEFAULT_POLICY, ownPolicy, type BrainConfig } from '../../brain';
import { policies } from '../../policy';
import { isOwnRule, type NetworkWish } from '../../core';
import type { PathPolicyView, TransportMessage } from '../../ports';
import type { PathControlReport } from '../../session-log';
import type { AbrChoice } from '../dashjs/dash-settings';

export interface PolicyChoiceOptions {
  abr?: AbrChoice | undefined;
  correction?: boolean | undefined;
  policy?: string | undefined;
  policyConfig?: Readonly<Record<string, unknown>> | undefined;
  networks?: readonly NetworkWish[] | undefined;
}

/**
 * Selects the path policy in force: the viewer's choice, else one that the networks require, else the
 * default.
 */
export class PolicyChoice {
  /** True if the brain is called at all. */
  readonly decides: boolean;
  /** True if its path decisions are carried out. */
  readonly steers: boolean;
  readonly #options: PolicyChoiceOptions;
  #pinned: string | undefined;
  #networks: readonly NetworkWish[];
  #isRanges = false;

  constructor(options: PolicyChoiceOptions) {
    const { abr = 'multipath', correction = true } = options;
    this.#options = options;
    this.#pinned = options.policy;
    this.#networks = options.networks ?? [];
    this.steers = isOwnRule(abr) || options.policy !== undefined;
    this.decides = this.steers || correction;
  }

  brainConfig(): BrainConfig {
    const { abr = 'multipath', correction = true, policy, policyConfig } = this.#options;
    // The configuration belongs to the policy it was given with.
    const own = this.#policy() === (policy ?? DEFAULT_POLICY) ? policyConfig : undefined;
    return {
      policy: this.#policy(),
      ...(own ? { policyConfig: own } : {}),
      abr: isOwnRule(abr) ? abr : correction ? 'multipath' : 'none',
      ...(this.#isRanges ? { carriage: 'ranges' as const } : {}),
      ...(this.#networks.length > 0 ? { networks: this.#networks } : {}),
    };
  }

  /** Pins a policy. @param apply takes the new configuration; if it throws, nothing changes */
  pin(name: string | undefined, apply: (config: BrainConfig) => void): void {
    const before = this.#pinned;
    this.#pinned = name;
    try {
      apply(this.brainConfig());
    } catch (error) {
      this.#pinned = before;
      throw error;
    }
  }

  /** Sets the wishes for networks. @param apply as of {@link pin} */
  wish(networks: readonly NetworkWish[], apply: (config: BrainConfig) => void): void {
    const before = this.#networks;
    this.#networks = [...networks];
    try {
      apply(this.brainConfig());
    } catch (error) {
      this.#networks = before;
      throw error;
    }
  }

  /** The feed reports the carriage. Returns the new configuration if it differs. */
  carriedBy({ report }: TransportMessage & { type: 'carriage' }): BrainConfig | undefined {
    const isRanges = report.carriage === 'ranges';
    if (isRanges === this.#isRanges) return undefined;
    this.#isRanges = isRanges;
    return this.brainConfig();
  }

  view(
    { policy }: BrainConfig,
    reason: string,
    control: PathControlReport | undefined,
  ): PathPolicyView {
    return {
      policy,
      pinned: this.#pinned !== undefined,
      choices: policies.map(({ name, summary }) => ({ name, summary })),
      networks: this.#networks,
      reason,
      ...(control ? { control } : {}),
    };
  }

  #policy(): string {
    if (!this.steers) return 'all';
    if (this.#pinned !== undefined) return this.#pinned;
    return ownPolicy(this.#networks, this.#isRanges);
  }
}
