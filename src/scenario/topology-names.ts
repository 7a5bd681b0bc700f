import { type FieldPath, TopologyError } from './topology-error';
import type { Name } from './types';

/** Reserved by the kernel, for interfaces or for the settings of all of them. */
const RESERVED = ['lo', 'all', 'default'];

/** @throws TopologyError if a name cannot name a namespace or an interface */
export function checkName(name: Name, field: FieldPath): void {
  if (!/^[a-z0-9][a-z0-9-]{0,14}$/.test(name)) {
    throw new TopologyError(
      field,
      `"${name}" is no name: 1 to 15 of a-z, 0-9 and -, and no - at the start`,
    );
  }
  if (RESERVED.includes(name)) {
    throw new TopologyError(field, `"${name}" is the kernel's: take another name`);
  }
}

/**
 * Checks that names are well formed and all different.
 * @throws TopologyError
 */
export function checkNames(names: readonly Name[], field: (index: number) => FieldPath): void {
  for (const [index, name] of names.entries()) {
    checkName(name, field(index));
    const first = names.indexOf(name);
    if (first < index) {
      throw new TopologyError(field(index), `"${name}" is taken: number ${first + 1} has it`);
    }
  }
}

/** @throws TopologyError if a list is shorter or longer than allowed */
export function checkCount(
  what: string,
  count: number,
  [least, most]: readonly [least: number, most: number],
  field: FieldPath,
): void {
  if (count >= least && count <= most) return;
  throw new TopologyError(field, `${count} ${what}: ${least} to ${most}`);
}

export const isCongestionControl = (name: string): boolean => /^[a-z0-9_]{1,15}$/.test(name);

/** The refusal of a name that {@link isCongestionControl} does not accept. */
export const noCongestionControl = (name: string): string =>
  `"${name}" is no name of a congestion control, such as cubic, reno or bbr`;

/** @throws TopologyError if this cannot be a congestion control's name */
export function checkCongestionControl(name: string, field: FieldPath): void {
  if (!isCongestionControl(name)) throw new TopologyError(field, noCongestionControl(name));
}
