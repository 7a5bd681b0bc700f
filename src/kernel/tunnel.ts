import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';

/** ARPHRD_NONE of linux/if_arp.h: TUN devices and WireGuard. */
const ARPHRD_NONE = 65_534;

/** One interface with an address. */
export interface InterfaceKind {
  name: string;
  /** ARPHRD_* number; undefined if unknown. */
  type: number | undefined;
  /** True if a hardware device is behind it. */
  isHardware: boolean;
}

/**
 * The tunnel that is up beside a hardware interface, such as a VPN. A socket that is bound to the hardware
 * interface bypasses the tunnel, so sockets are bound only if the user asks for it.
 * @returns its name; undefined without one
 */
export function tunnelBesideHardware(
  interfaces: readonly InterfaceKind[] = systemInterfaces(),
): string | undefined {
  if (!interfaces.some(({ isHardware }) => isHardware)) return undefined;
  return interfaces.find(({ type }) => type === ARPHRD_NONE)?.name;
}

/** Interfaces of this network namespace, with their properties in sysfs. */
function systemInterfaces(): InterfaceKind[] {
  return Object.keys(os.networkInterfaces()).map((name) => {
    const folder = `/sys/class/net/${name}`;
    return { name, type: typeOf(folder), isHardware: existsSync(`${folder}/device`) };
  });
}

function typeOf(folder: string): number | undefined {
  try {
    return Number(readFileSync(`${folder}/type`, 'utf8'));
  } catch {
    return undefined;
  }
}
