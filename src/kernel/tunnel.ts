import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** One interface that is up. */
export interface InterfaceKind {
  name: string;
  /** True if a hardware device is behind it. */
  isHardware: boolean;
  /** The system sends to the internet, or to the stream's server, over it. Undefined: the kernel could not be asked. */
  isSystemRoute: boolean | undefined;
}

/** The tunnel of the system's traffic. The caller treats `unknown` as `found`: a tunnel must not be bypassed. */
export type TunnelState =
  { state: 'none' } | { state: 'found'; name: string } | { state: 'unknown'; reason: string };

/**
 * The tunnel, such as a VPN, through which the system sends although a hardware interface is up. A socket that is bound
 * to the hardware interface bypasses the tunnel, so sockets are bound only if the user asks for it. The route decides,
 * not the type: PPP, GRE and TAP devices are tunnels too, and an unused bridge of containers is none.
 */
export function tunnelBesideHardware(interfaces: readonly InterfaceKind[]): TunnelState {
  const others = interfaces.filter(({ isHardware }) => !isHardware);
  if (others.length === interfaces.length) return { state: 'none' };
  const found = others.find(({ isSystemRoute }) => isSystemRoute === true);
  if (found) return { state: 'found', name: found.name };
  const possible = others.find(({ isSystemRoute }) => isSystemRoute === undefined);
  if (!possible) return { state: 'none' };
  const reason = `the kernel's routes cannot be read, and ${possible.name} may be a tunnel`;
  return { state: 'unknown', reason };
}

const SYSFS = '/sys/class/net';

/** True if an interface is a hardware device, or leads to one as a bridge, bond or VLAN does (`lower_*` in sysfs). */
export function isHardwareInterface(name: string, sysfs = SYSFS): boolean {
  const folder = path.join(sysfs, name);
  if (existsSync(path.join(folder, 'device'))) return true;
  return lowerInterfaces(folder).some((lower) => isHardwareInterface(lower, sysfs));
}

function lowerInterfaces(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((entry) => /^lower_(.+)$/.exec(entry)?.[1] ?? []);
  } catch {
    return [];
  }
}
