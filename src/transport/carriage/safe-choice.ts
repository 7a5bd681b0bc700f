import { tunnelBesideHardware } from '../../kernel';
import type { CarriageChoice } from './open-carriage';

/**
 * `auto` leaves a stream to the system's routes beside a VPN: a socket bound to an interface would bypass it.
 * @param onNote called with the reason where another carriage is taken
 */
export function safeCarriage(
  choice: CarriageChoice,
  onNote: (text: string) => void,
): CarriageChoice {
  const tunnel = choice === 'auto' ? tunnelBesideHardware() : undefined;
  if (tunnel === undefined) return choice;
  onNote(`${tunnel} is up, so media keep to the system's routes (all networks: --carriage ranges)`);
  return 'mptcp';
}
