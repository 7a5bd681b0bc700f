import { describe, expect, it } from 'vitest';
import { tunnelBesideHardware } from './tunnel';

const wifi = { name: 'wlan0', type: 1, isHardware: true };
const wireguard = { name: 'wg0', type: 65_534, isHardware: false };
const bridge = { name: 'docker0', type: 1, isHardware: false };

describe('tunnelBesideHardware', () => {
  it('finds a VPN beside a hardware interface', () => {
    expect(tunnelBesideHardware([wifi, bridge, wireguard])).toBe('wg0');
  });

  it('ignores emulated links, which no hardware interface accompanies', () => {
    expect(tunnelBesideHardware([wireguard, { ...wireguard, name: 'path2' }])).toBeUndefined();
  });

  it('finds none among ordinary networks', () => {
    expect(tunnelBesideHardware([wifi, bridge, { ...wifi, name: 'wwan0' }])).toBeUndefined();
  });
});
