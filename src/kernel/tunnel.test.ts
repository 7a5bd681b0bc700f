import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHardwareInterface, tunnelBesideHardware } from './tunnel';

const wifi = { name: 'wlan0', isHardware: true, isSystemRoute: false };
const bridge = { name: 'docker0', isHardware: false, isSystemRoute: false };
const none = { state: 'none' };

describe('tunnelBesideHardware', () => {
  it.each(['wg0', 'tun0', 'ppp0', 'gre1', 'tap0'])(
    'finds the VPN %s through which the system sends',
    (name) => {
      const vpn = { name, isHardware: false, isSystemRoute: true };
      expect(tunnelBesideHardware([wifi, bridge, vpn])).toEqual({ state: 'found', name });
    },
  );

  it('ignores a tunnel that carries neither the default route nor the server’s', () => {
    const unused = { name: 'tailscale0', isHardware: false, isSystemRoute: false };
    expect(tunnelBesideHardware([{ ...wifi, isSystemRoute: true }, unused])).toEqual(none);
  });

  it('does not know if the routes cannot be read and an interface may be a tunnel', () => {
    const hidden = { ...bridge, isSystemRoute: undefined };
    expect(tunnelBesideHardware([wifi, hidden])).toEqual({
      state: 'unknown',
      reason: "the kernel's routes cannot be read, and docker0 may be a tunnel",
    });
    expect(tunnelBesideHardware([wifi, { ...wifi, isSystemRoute: undefined }])).toEqual(none);
  });

  it('ignores emulated links and a dial-up, which no hardware interface accompanies', () => {
    const dialUp = { name: 'ppp0', isHardware: false, isSystemRoute: true };
    expect(tunnelBesideHardware([dialUp, bridge])).toEqual(none);
  });

  it('finds none among ordinary networks', () => {
    const wwan = { ...wifi, name: 'wwan0', isSystemRoute: true };
    expect(tunnelBesideHardware([wifi, bridge, wwan])).toEqual(none);
  });
});

describe('isHardwareInterface', () => {
  let sysfs: string;
  beforeEach(() => {
    sysfs = mkdtempSync(path.join(os.tmpdir(), 'mpd-sysfs-'));
    const entries = ['eth0/device', 'br0/lower_eth0', 'br0.7/lower_br0', 'docker0/lower_veth1'];
    for (const entry of [...entries, 'veth1', 'wg0']) {
      mkdirSync(path.join(sysfs, entry), { recursive: true });
    }
  });
  afterEach(() => rmSync(sysfs, { recursive: true }));

  it.each(['eth0', 'br0', 'br0.7'])('%s leads to a device', (name) => {
    expect(isHardwareInterface(name, sysfs)).toBe(true);
  });

  it.each(['wg0', 'docker0', 'veth1', 'gone0'])('%s does not', (name) => {
    expect(isHardwareInterface(name, sysfs)).toBe(false);
  });
});
