import * as v from 'valibot';
import type { EmulatorDirectionStats, LinkSample, LinkStats } from './emulator-protocol';
import { LabError } from './errors';
import type { LinkChange, LinkOptions } from './link-emulator-options';
import {
  kernelChange,
  type KernelCommand,
  type KernelDirection,
  type KernelLink,
  kernelLinkCommands,
  planKernelLink,
} from './link-kernel-plan';
import { inNetns } from './netns';
import { tryCommand } from './run-command';

const qdiscSchema = v.object({
  kind: v.string(),
  bytes: v.optional(v.number(), 0),
  packets: v.optional(v.number(), 0),
  drops: v.optional(v.number(), 0),
  backlog: v.optional(v.number(), 0),
  qlen: v.optional(v.number(), 0),
  ecn_mark: v.optional(v.number(), 0),
  /** PIE: microseconds. */
  delay: v.optional(v.number()),
  prob: v.optional(v.number(), 0),
});

type Qdisc = v.InferOutput<typeof qdiscSchema>;

/** The cause of a refusal by `tc` or `ip`. */
export function kernelRefusal(argv: readonly string[], stderr: string): LabError {
  if (/qdisc kind is unknown|Unknown qdisc|device type is unknown/i.test(stderr)) {
    const kinds = ['netem', 'tbf', 'fq_pie', 'fq_codel', 'pie', 'codel', 'bfifo', 'pfifo', 'veth'];
    const kind = kinds.find((name) => argv.includes(name)) ?? 'qdisc';
    const name = kind === 'veth' ? kind : `sch_${kind}`;
    return new LabError(
      'MODULE_MISSING',
      `backend kernel: this kernel has no ${name}`,
      `load it: sudo modprobe ${name}, or run the scenario with backend: emulator`,
    );
  }
  return new LabError('COMMAND_FAILED', `"${argv.join(' ')}": ${stderr.trim()}`);
}

async function run({ netns, argv }: KernelCommand): Promise<string> {
  const [command, ...args] = argv;
  const [program, programArgs] = netns === undefined ? [command ?? '', args] : inNetns(netns, argv);
  const { stdout, stderr, exitCode } = await tryCommand(program, programArgs);
  if (exitCode === 0) return stdout;
  throw kernelRefusal(argv, stderr);
}

/** The kernel counts Ethernet frames, the emulator IP packets. */
const ETHERNET_HEADER_BYTES = 14;

/** The kernel's counters; missing ones are 0. Sizes are IP packets. */
export function kernelStats(
  { options, isBlackhole }: KernelDirection,
  qdiscs: readonly Qdisc[],
): EmulatorDirectionStats {
  const wires = qdiscs.filter(({ kind }) => kind === 'netem');
  const queue = qdiscs.find(({ kind }) => kind !== 'netem' && kind !== 'tbf');
  const ipBytes = (frameBytes = 0, frames = 0): number =>
    Math.max(0, frameBytes - frames * ETHERNET_HEADER_BYTES);
  const outPackets = queue?.packets ?? 0;
  const outBytes = ipBytes(queue?.bytes, queue?.packets);
  const drops = qdiscs
    .filter(({ kind }) => kind !== 'netem')
    .reduce((most, qdisc) => Math.max(most, qdisc.drops), 0);
  // A qdisc counts the drops of those below it too.
  const wireDrops = wires.reduce((sum, wire) => sum + wire.drops, 0);
  const lost = Math.max(0, wireDrops - drops);
  const delayUs = queue?.delay;
  return {
    rateBps: options.rateBps ?? Infinity,
    delayUs: Math.round((options.delayMs ?? 0) * 1000),
    lossRatio: isBlackhole ? 1 : (options.lossRatio ?? 0),
    isOut: isBlackhole,
    queue: options.queue?.discipline ?? 'droptail',
    queueBytes: ipBytes(queue?.backlog, queue?.qlen),
    queuePackets: queue?.qlen ?? 0,
    ...(delayUs === undefined
      ? {}
      : { queueDelayMeanUs: delayUs, queueDelayP99Us: delayUs, queueDelayMaxUs: delayUs }),
    dropProbability: Math.min(1, queue?.prob ?? 0),
    inPackets: outPackets + drops + lost,
    inBytes: outBytes,
    outPackets,
    outBytes,
    queueDrops: drops,
    queueMarks: queue?.ecn_mark ?? 0,
    lossDrops: lost,
    stateDrops: 0,
    writeErrors: 0,
    lateMeanUs: 0,
    lateP50Us: 0,
    lateP99Us: 0,
    lateMaxUs: 0,
  };
}

/** Links built from the kernel's own parts (veth, netem, tbf, qdiscs), with the interface of LinkEmulator. */
export class LinkKernel {
  readonly #links = new Map<string, KernelLink>();
  #serial = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @throws LabError MODULE_MISSING with the module's name, BAD_OPTION for a feature of the emulator only */
  async addLink(options: LinkOptions): Promise<void> {
    const link = planKernelLink(options);
    this.#serial += 1;
    const commands = kernelLinkCommands(options, this.#serial);
    // Registered before it is complete, so that `close` also removes a half-built link.
    this.#links.set(options.name, link);
    for (const command of commands) await run(command);
  }

  async setLink(name: string, change: LinkChange): Promise<void> {
    const link = this.#links.get(name);
    if (link === undefined) throw new LabError('BAD_OPTION', `there is no link ${name}`);
    const planned = kernelChange(link, change);
    for (const command of planned.commands) await run(command);
    this.#links.set(name, planned.link);
  }

  async stats(): Promise<LinkStats[]> {
    return Promise.all(
      [...this.#links.values()].map(async ({ name, ab, ba }) => ({
        name,
        state: ab.isBlackhole ? ('blackhole' as const) : ('up' as const),
        ab: await this.#directionStats(ab),
        ba: await this.#directionStats(ba),
      })),
    );
  }

  /** Reports every link periodically; 0 stops. A reading that outlasts the interval skips one. */
  watch(intervalMs: number, onSample: (sample: LinkSample) => void): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (intervalMs === 0) return Promise.resolve();
    let isReading = false;
    const read = async (): Promise<void> => {
      if (isReading) return;
      isReading = true;
      const links = await this.stats().catch(() => undefined);
      isReading = false;
      const monotonicUs = Number(process.hrtime.bigint() / 1000n);
      if (links !== undefined && this.#timer !== undefined) onSample({ monotonicUs, links });
    };
    this.#timer = setInterval(() => void read(), intervalMs);
    return Promise.resolve();
  }

  /** Removes every link. */
  async close(): Promise<void> {
    await this.watch(0, () => undefined);
    for (const { ab } of this.#links.values()) {
      const argv = ['ip', 'link', 'delete', ab.device];
      // Gone with its namespace, or never created.
      await run({ netns: ab.netns, argv }).catch(() => undefined);
    }
    this.#links.clear();
  }

  async #directionStats(direction: KernelDirection): Promise<EmulatorDirectionStats> {
    const argv = ['tc', '-s', '-j', 'qdisc', 'show', 'dev', direction.device];
    const printed: unknown = JSON.parse(await run({ netns: direction.netns, argv }));
    return kernelStats(direction, v.parse(v.array(qdiscSchema), printed));
  }
}
