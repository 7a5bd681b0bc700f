import type { DirectionSpec, LinkSpec, MiddleboxSpec, Name } from '../../scenario';
import type { LinkStats } from '../emulator-protocol';
import { LinkEmulator, type LinkEmulatorOptions } from '../link-emulator';
import type { LinkEnd, LinkState } from '../link-emulator-options';
import { type NamedTrace, toLinkChange, toLinkOptions, toRestart } from '../link-emulator-scenario';
import { LinkKernel } from '../link-kernel';

/** Creates the links of a network. */
export interface LinkBackend {
  /** Interfaces come up without addresses. */
  add(link: LinkSpec, ends: { a: LinkEnd; b: LinkEnd }): Promise<void>;
  setState(link: Name, state: LinkState): Promise<void>;
  /** Absent fields stay as they are. */
  change(
    link: Name,
    change: { ab?: Partial<DirectionSpec>; ba?: Partial<DirectionSpec> },
  ): Promise<void>;
  /** Replaces the middlebox; null: none. */
  setMiddlebox(link: Name, middlebox: MiddleboxSpec | null): Promise<void>;
  /** Restarts the traces and outages of a link. */
  restart(link: LinkSpec): Promise<void>;
  stats(): Promise<LinkStats[]>;
  /** @returns a function that stops the reports */
  watch(
    periodMs: number,
    listener: (atMonotonicMs: number, links: LinkStats[]) => void,
  ): Promise<() => Promise<void>>;
  /** Removes every link. */
  close(): Promise<void>;
}

/**
 * Links of the user-space emulator (native/link).
 * @param seed of the trial: decides which packets are lost
 */
export async function emulatorBackend(
  seed: number,
  options: LinkEmulatorOptions = {},
): Promise<LinkBackend> {
  const emulator = await LinkEmulator.start(options);
  const addTraces = async (traces: readonly NamedTrace[]): Promise<void> => {
    for (const { name, steps } of traces) await emulator.addTrace(name, steps);
  };
  let changes = 0;
  return {
    add: async (link, ends) => {
      const made = toLinkOptions(link, ends, seed);
      await addTraces(made.traces);
      await emulator.addLink(made.options);
    },
    setState: (link, state) => emulator.setLink(link, { state }),
    setMiddlebox: (link, middlebox) => emulator.setLink(link, { middlebox }),
    change: async (link, wanted) => {
      changes += 1;
      const { change, traces } = toLinkChange(link, wanted, changes);
      await addTraces(traces);
      await emulator.setLink(link, change);
    },
    restart: async (link) => {
      const change = toRestart(link);
      if (change !== undefined) await emulator.setLink(link.id, change);
    },
    stats: () => emulator.stats(),
    watch: async (periodMs, listener) => {
      await emulator.watch(periodMs, ({ monotonicUs, links }) => {
        listener(monotonicUs / 1000, links);
      });
      return () => emulator.watch(0, () => undefined);
    },
    close: () => emulator.close(),
  };
}

/**
 * Links of the kernel's own qdiscs.
 * @param seed of the trial; netem draws its losses independently
 */
export function kernelBackend(seed: number): LinkBackend {
  const links = new LinkKernel();
  return {
    add: (link, ends) => links.addLink(toLinkOptions(link, ends, seed).options),
    setState: (link, state) => links.setLink(link, { state }),
    setMiddlebox: (link, middlebox) => links.setLink(link, { middlebox }),
    change: (link, wanted) => links.setLink(link, toLinkChange(link, wanted, 0).change),
    // It supports neither traces nor outages; `add` has refused them.
    restart: () => Promise.resolve(),
    stats: () => links.stats(),
    watch: async (periodMs, listener) => {
      await links.watch(periodMs, ({ monotonicUs, links: sampled }) => {
        listener(monotonicUs / 1000, sampled);
      });
      return () => links.watch(0, () => undefined);
    },
    close: () => links.close(),
  };
}
