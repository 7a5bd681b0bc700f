import { queueDiscipline, queueLimit, queueSettingEntries, type QueueSpec } from '../scenario';
import { LabError } from './errors';
import type {
  DirectionChange,
  DirectionOptions,
  LinkChange,
  LinkEnd,
  LinkOptions,
} from './link-emulator-options';

/** A command in the namespace of a file; without one, in the caller's own. */
export interface KernelCommand {
  netns: string | undefined;
  argv: string[];
}

/** One direction in the kernel, at the sending interface: netem, then a rate, then the queue. */
export interface KernelDirection {
  netns: string | undefined;
  device: string;
  options: DirectionOptions;
  isBlackhole: boolean;
}

export interface KernelLink {
  name: string;
  ab: KernelDirection;
  ba: KernelDirection;
}

type Side = 'ab' | 'ba';

/** MTU of Ethernet, which the links have too. */
const MTU_BYTES = 1_500;
/** tc counts the Ethernet header, the emulator only IP packets: the factor for full packets. */
const ETHERNET_SHARE = (MTU_BYTES + 14) / MTU_BYTES;
/** Limit of netem's delay queue: space for any rate and delay. */
const NETEM_PACKETS = 200_000;
/** Two full frames: the minimum for whole packets, which keeps the rate exact over short times too. */
const MIN_BURST_BYTES = 2 * (MTU_BYTES + 14);
/** Burst that tbf may send after a late timer: without it a busy machine stays below high rates. */
const BURST_MS = 1;

const OTHER_BACKEND = 'run the scenario with backend: emulator';

function refuse(link: string, field: string, message: string): never {
  throw new LabError('BAD_OPTION', `link ${link}: ${field}: ${message}`, OTHER_BACKEND);
}

function us(ms: number): string {
  return `${Math.round(ms * 1000)}us`;
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(6))}%`;
}

function check(link: string, side: Side, change: DirectionChange): void {
  if (change.trace !== undefined && change.trace !== null) {
    refuse(link, `${side}.trace`, 'the kernel follows no traces');
  }
  if (change.outages !== undefined && change.outages !== null) {
    refuse(link, `${side}.outages`, 'the kernel schedules no outages');
  }
  if ((change.jitter ?? undefined) !== undefined && change.jitter?.mayReorder !== true) {
    refuse(
      link,
      `${side}.jitter`,
      'netem lets packets overtake each other, so only with reorder: true',
    );
  }
}

function needsNetem({ delayMs = 0, lossRatio = 0, burstLoss, jitter }: DirectionChange): boolean {
  return (
    delayMs > 0 || lossRatio > 0 || burstLoss !== undefined || (jitter ?? undefined) !== undefined
  );
}

function lossArgs(direction: KernelDirection): string[] {
  const { lossRatio = 0, burstLoss } = direction.options;
  if (direction.isBlackhole) return ['loss', '100%'];
  if (burstLoss !== undefined) {
    const { goodToBad, badToGood, lossBad = 1, lossGood = 0 } = burstLoss;
    return ['loss', 'gemodel', ...[goodToBad, badToGood, lossBad, lossGood].map(percent)];
  }
  return lossRatio > 0 ? ['loss', percent(lossRatio)] : [];
}

function netemArgs(direction: KernelDirection): string[] {
  const { delayMs = 0, jitter } = direction.options;
  const spread = (jitter ?? undefined) === undefined ? [] : [us(jitter?.spreadMs ?? 0)];
  const shape = jitter?.shape === 'normal' ? ['distribution', 'normal'] : [];
  const delay = ['delay', us(delayMs), ...spread, ...shape];
  return ['netem', 'limit', String(NETEM_PACKETS), ...delay, ...lossArgs(direction)];
}

function tbfArgs(rateBps: number): string[] {
  // The inner queue sets the limit; tbf requires one nevertheless.
  const rate = ['rate', `${Math.round(rateBps * ETHERNET_SHARE)}bit`];
  const burstBytes = Math.max(MIN_BURST_BYTES, Math.ceil((rateBps * BURST_MS) / 8000));
  return ['tbf', ...rate, 'burst', String(burstBytes), 'limit', '1000000000'];
}

/** Options of a qdisc for the settings that the discipline reads, switches last. */
function settingArgs(spec: QueueSpec): string[] {
  const defaults = queueDiscipline(spec.discipline).settings;
  const given = queueSettingEntries.flatMap(([name, setting]) => {
    const value = defaults[name] === undefined ? undefined : (spec[name] ?? defaults[name]);
    return 'option' in setting && value !== undefined ? [{ ...setting, value }] : [];
  });
  const numbers = given.flatMap(({ option, value, values: { kind } }) =>
    typeof value === 'number' ? [option, kind === 'time' ? us(value) : String(value)] : [],
  );
  const switches = given.flatMap(({ option, value }) =>
    typeof value === 'boolean' ? [value ? option : `no${option}`] : [],
  );
  return [...numbers, ...switches];
}

/**
 * The kernel's qdisc for a queue; absent fields have the emulator's defaults.
 * @throws LabError BAD_OPTION for a discipline that Linux does not have
 */
export function queueArgs(given: QueueSpec | undefined, queueBytes: number | undefined): string[] {
  const spec = given ?? { discipline: 'droptail' };
  const { bytes, packets } = queueLimit(spec, queueBytes);
  if (spec.discipline === 'droptail' && Number.isFinite(bytes)) {
    return ['bfifo', 'limit', String(Math.round(bytes * ETHERNET_SHARE))];
  }
  const { qdisc } = queueDiscipline(spec.discipline);
  if (qdisc === undefined) {
    throw new LabError('BAD_OPTION', `the kernel has no queue ${spec.discipline}`, OTHER_BACKEND);
  }
  const limit = Number.isFinite(packets) ? packets : Math.ceil(bytes / MTU_BYTES);
  return [qdisc, 'limit', String(limit), ...settingArgs(spec)];
}

function tc(verb: string, direction: KernelDirection, where: string[], what: string[]) {
  const argv = ['tc', 'qdisc', verb, 'dev', direction.device, ...where, ...what];
  return { netns: direction.netns, argv };
}

const ROOT = ['root', 'handle', '1:'];

/** Undefined if the direction is unlimited. */
function rateOf({ rateBps }: DirectionChange): number | undefined {
  return typeof rateBps === 'number' && Number.isFinite(rateBps) ? rateBps : undefined;
}

/** The qdiscs of a direction, outermost first. */
export function qdiscCommands(direction: KernelDirection): KernelCommand[] {
  const { options } = direction;
  const rateBps = rateOf(options);
  const layers = [
    ...(needsNetem(options) ? [netemArgs(direction)] : []),
    ...(rateBps === undefined ? [] : [tbfArgs(rateBps)]),
    queueArgs(options.queue, options.queueBytes),
  ];
  return layers.map((args, index) => {
    const handle = ['handle', `${index + 1}:`];
    const where = index === 0 ? ROOT : ['parent', `${index}:1`, ...handle];
    return tc('add', direction, where, args);
  });
}

function direction(options: LinkOptions, side: Side, end: LinkEnd): KernelDirection {
  const { ab, ba, name, middlebox } = options;
  const merged: DirectionOptions = { ...options, ...(side === 'ab' ? ab : ba) };
  check(name, side, merged);
  if (middlebox !== undefined) refuse(name, 'middlebox', 'the kernel has none');
  return { netns: end.netns, device: end.device, options: merged, isBlackhole: false };
}

/**
 * Validates a link.
 * @throws LabError BAD_OPTION for a feature of the emulator only
 */
export function planKernelLink(options: LinkOptions): KernelLink {
  const ab = direction(options, 'ab', options.a);
  return { name: options.name, ab, ba: direction(options, 'ba', options.b) };
}

function endCommands(temporary: string, end: LinkEnd): KernelCommand[] {
  const at = end.netns;
  const move = at === undefined ? [] : ['netns', at];
  const set = (...argv: string[]): KernelCommand => ({ netns: at, argv: ['ip', ...argv] });
  const { device, address } = end;
  return [
    { netns: undefined, argv: ['ip', 'link', 'set', 'dev', temporary, 'name', device, ...move] },
    // One packet at a time: loss and queue limits count packets, not offload bundles.
    set('link', 'set', 'dev', device, 'gso_max_segs', '1', 'up'),
    ...(address === undefined ? [] : [set('address', 'add', address, 'dev', device, 'nodad')]),
  ];
}

/**
 * Commands that build a link from a pair of veth interfaces.
 * @param serial makes the temporary names of the pair unique
 */
export function kernelLinkCommands(options: LinkOptions, serial: number): KernelCommand[] {
  const link = planKernelLink(options);
  const [first, second] = [`mpdk${serial}a`, `mpdk${serial}b`];
  const pair = ['ip', 'link', 'add', first, 'type', 'veth', 'peer', 'name', second];
  return [
    { netns: undefined, argv: pair },
    ...endCommands(first, options.a),
    ...endCommands(second, options.b),
    ...qdiscCommands(link.ab),
    ...qdiscCommands(link.ba),
  ];
}

function changeDirection(link: string, side: Side, target: KernelDirection, change: LinkChange) {
  const { state } = change;
  const own: DirectionChange = { ...change, ...(side === 'ab' ? change.ab : change.ba) };
  check(link, side, own);
  const isBlackhole = state === undefined ? target.isBlackhole : state === 'blackhole';
  const options = { ...target.options, ...own };
  // The last loss setting applies.
  if (own.lossRatio !== undefined && own.burstLoss === undefined) delete options.burstLoss;
  const next = { ...target, options, isBlackhole };
  const hadNetem = needsNetem(target.options);
  const wantsNetem = needsNetem(options) || isBlackhole;
  if (wantsNetem && !hadNetem) {
    refuse(link, side, 'delay and loss can change only where there was some from the start');
  }
  const rateBps = rateOf(options);
  if ((rateBps === undefined) !== (rateOf(target.options) === undefined)) {
    refuse(link, `${side}.rateBps`, 'a limited link cannot become unlimited, nor the reverse');
  }
  const rateAt = hadNetem ? ['parent', '1:1', 'handle', '2:'] : ROOT;
  const commands = [
    ...(hadNetem ? [tc('change', next, ROOT, netemArgs(next))] : []),
    ...(rateBps !== undefined && rateBps !== rateOf(target.options)
      ? [tc('change', next, rateAt, tbfArgs(rateBps))]
      : []),
  ];
  return { next, commands };
}

/**
 * Commands that change a link, and the link afterwards.
 * @throws LabError BAD_OPTION
 */
export function kernelChange(
  link: KernelLink,
  change: LinkChange,
): { link: KernelLink; commands: KernelCommand[] } {
  if ((change.middlebox ?? undefined) !== undefined)
    refuse(link.name, 'middlebox', 'the kernel has none');
  if (change.state === 'down') {
    refuse(link.name, 'state', 'veth has no carrier to take away; use blackhole');
  }
  const ab = changeDirection(link.name, 'ab', link.ab, change);
  const ba = changeDirection(link.name, 'ba', link.ba, change);
  return {
    link: { name: link.name, ab: ab.next, ba: ba.next },
    commands: [...ab.commands, ...ba.commands],
  };
}
