import { PathControlError } from '../../ports';
import type { UnheardFlag, WantedPathState } from '../../core';
import { endpointFlag, type MptcpEndpoint } from '../../kernel';
import { onePerFamily } from '../one-per-family';
import type { EndpointAction } from './endpoint-action';
import {
  addressesOf,
  isGone,
  isNamed,
  isOwn,
  pathOf,
  type AbsentEndpoint,
  type EndpointUse,
  type FoundEndpoints,
} from './endpoint-state';
import { planMove } from './moved-addresses';
import { isBackup, ownEndpoint, withBackup } from './own-endpoint';

/** A peer that wants the path as a backup itself overrides the flag: more attempts cannot succeed. */
const MAX_FLAG_RETRIES = 3;

/**
 * The steps that bring a network, or one address, to a wanted state. Pure.
 * @throws PathControlError NO_SUCH_PATH, or FOREIGN where another program's endpoint forbids it
 */
export function planWanted(
  found: FoundEndpoints,
  { name, state }: { name: string; state: WantedPathState },
  use: EndpointUse,
): EndpointAction[] {
  const present = found.endpoints.filter(
    (item) =>
      (item.flags & endpointFlag.implicit) === 0 &&
      isNamed(pathOf(found, item), name, item.address) &&
      !isGone(found, item.address),
  );
  const out = [...found.absent.values()].filter(({ pathId, endpoint }) =>
    isNamed(pathId, name, endpoint.address),
  );
  if (present.length === 0 && out.length === 0 && addressesOf(found, name).length === 0) {
    throw new PathControlError('NO_SUCH_PATH', `no interface or address "${name}" to control`);
  }
  if (state === 'closed') return planClose(found, name, present, out, use);
  return planOpen(found, { name, backup: state === 'backup' }, present, out, use);
}

/** Deletes an endpoint. An own one returns with `subflow`, without which the kernel opens no new subflow. */
export const takeOut = (
  found: FoundEndpoints,
  endpoint: MptcpEndpoint,
  state: AbsentEndpoint['state'],
): EndpointAction => {
  const flags = isOwn(found, endpoint) ? endpoint.flags | endpointFlag.subflow : endpoint.flags;
  const later = { state, endpoint: { ...endpoint, flags }, pathId: pathOf(found, endpoint) };
  return { kind: 'take-out', endpoint, later };
};

function planClose(
  found: FoundEndpoints,
  name: string,
  present: readonly MptcpEndpoint[],
  out: readonly AbsentEndpoint[],
  use: EndpointUse,
): EndpointAction[] {
  const foreign = present.find((item) => !isOwn(found, item));
  if (foreign && use.foreignEndpoints === 'keep') {
    const message = `endpoint ${foreign.address} is not this player's: it is not deleted; make it a backup instead`;
    throw new PathControlError('FOREIGN', message);
  }
  const actions = present.map((endpoint) => takeOut(found, endpoint, 'closed'));
  const taken = new Set(present.map(({ address }) => address));
  for (const item of out) {
    const isTaken = taken.has(item.endpoint.address);
    if (!isTaken) actions.push({ kind: 'note-absent', item: { ...item, state: 'closed' } });
  }
  for (const { address, index } of addressesOf(found, name)) {
    if (taken.has(address) || found.absent.has(address) || use.isUsed?.(address) !== true) continue;
    const endpoint = ownEndpoint(address, index);
    actions.push({
      kind: 'end-first-subflows',
      later: { state: 'closed', endpoint, pathId: name },
    });
  }
  return actions;
}

function planOpen(
  found: FoundEndpoints,
  { name, backup }: { name: string; backup: boolean },
  present: readonly MptcpEndpoint[],
  out: readonly AbsentEndpoint[],
  use: EndpointUse,
): EndpointAction[] {
  const users = present.find((item) => isBackup(item) && !found.changes.get(item.address));
  if (!backup && users) {
    const message = `endpoint ${users.address} was made a backup by another process, which is respected`;
    throw new PathControlError('FOREIGN', message);
  }
  const actions = present.flatMap((endpoint): EndpointAction[] =>
    isBackup(endpoint) === backup
      ? planFlagRetry(found, endpoint, use)
      : [{ kind: 'set-backup', endpoint, backup }],
  );
  const absent = new Map(found.absent);
  for (const item of out) {
    const { address } = item.endpoint;
    const isLost = item.state === 'lost' || isGone(found, address);
    const endpoint = withBackup(item.endpoint, backup);
    const wanted: AbsentEndpoint = { ...item, endpoint, state: isLost ? 'lost' : 'closed' };
    absent.set(address, wanted);
    actions.push({ kind: 'note-absent', item: wanted });
    // A lost endpoint comes back with its interface.
    if (!isLost) actions.push({ kind: 'put-back', endpoint, rejoin: false });
  }
  if (out.some(({ endpoint }) => absent.get(endpoint.address)?.state === 'lost')) {
    actions.push(...planMove({ ...found, absent }, name, false, use));
  }
  const isKnown = present.length > 0 || out.length > 0;
  return isKnown ? actions : planFirst(found, name, backup, use);
}

/** Endpoints for a network that has none: at each address in use, and one for each family without. */
function planFirst(
  found: FoundEndpoints,
  name: string,
  backup: boolean,
  use: EndpointUse,
): EndpointAction[] {
  const isUsed = (address: string): boolean => use.isUsed?.(address) ?? true;
  const all = addressesOf(found, name).map((item) => ({ ...item, network: name }));
  const chosen = onePerFamily(all, isUsed);
  const wanted = all.filter((item) => isUsed(item.address) || chosen.includes(item));
  return wanted.flatMap(({ address, index }): EndpointAction[] => {
    const used = isUsed(address);
    if (!backup && used) return [];
    // With `subflow` the kernel would open a second subflow beside an existing first one.
    const endpoint = { ...ownEndpoint(address, index), flags: used ? 0 : endpointFlag.subflow };
    // The kernel announces only a change of the flag to the peer of an existing subflow.
    return [{ kind: 'create', endpoint, thenBackup: backup, rejoin: false }];
  });
}

/**
 * The kernel announces only changes of the flag, and a subflow in its handshake at that moment misses one
 * (Linux 6.18). Setting the opposite and the flag again repeats the announcement.
 */
function planFlagRetry(
  { changes, flagRetries }: FoundEndpoints,
  endpoint: MptcpEndpoint,
  use: EndpointUse,
): EndpointAction[] {
  const { address } = endpoint;
  const shown = use.shownState?.(address);
  if (shown === undefined || shown === (isBackup(endpoint) ? 'backup' : 'active')) {
    return [{ kind: 'forget-flag-retries', address }];
  }
  const isUsers = isBackup(endpoint) && !changes.get(address);
  const retries = flagRetries.get(address) ?? 0;
  if (isUsers || retries >= MAX_FLAG_RETRIES) return [];
  return [{ kind: 'repeat-backup', endpoint, attempt: retries + 1 }];
}

/** Repeats the backup flags of endpoints whose subflows' server did not hear them. Pure. */
export function planRepeats(
  { endpoints, changes, flagRetries }: FoundEndpoints,
  flags: readonly UnheardFlag[],
): EndpointAction[] {
  return endpoints
    .filter((item) =>
      flags.some((flag) => flag.local.address === item.address && flag.backup === isBackup(item)),
    )
    .filter((item) => !isBackup(item) || changes.get(item.address) !== undefined)
    .map((endpoint) => ({
      kind: 'repeat-backup',
      endpoint,
      attempt: flagRetries.get(endpoint.address) ?? 0,
    }));
}
