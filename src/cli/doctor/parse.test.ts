import { describe, expect, it } from 'vitest';
import {
  networkManagerFacts,
  parseActiveConnections,
  parseEndpoints,
  parseInterfaces,
  parseLimits,
} from './parse';

describe('the output of iproute2', () => {
  it('limits', () => {
    expect(parseLimits('add_addr_accepted 0 subflows 2 \n')).toEqual({
      subflows: 2,
      addAddrAccepted: 0,
    });
    expect(parseLimits('Error: Unknown device')).toBeUndefined();
  });

  it('endpoints, with flags as a list or as booleans', () => {
    const json = JSON.stringify([
      { address: '10.0.2.2', id: 2, flags: ['subflow', 'backup'], dev: 'c2' },
      { address: '10.0.3.2', id: 3, fullmesh: true },
      { id: 4 },
      7,
    ]);
    expect(parseEndpoints(json)).toEqual([
      { address: '10.0.2.2', device: 'c2', flags: ['subflow', 'backup'] },
      { address: '10.0.3.2', device: undefined, flags: ['fullmesh'] },
    ]);
    expect(parseEndpoints('not json')).toEqual([]);
    expect(parseEndpoints('{}')).toEqual([]);
  });

  it('interfaces that are up, with global addresses and default routes', () => {
    const up = ['BROADCAST', 'UP', 'LOWER_UP'];
    const addresses = JSON.stringify([
      {
        ifname: 'lo',
        flags: ['LOOPBACK', 'UP', 'LOWER_UP'],
        addr_info: [{ local: '127.0.0.1', scope: 'host' }],
      },
      {
        ifname: 'eth0',
        flags: up,
        addr_info: [
          { local: '192.0.2.2', scope: 'global' },
          { local: 'fe80::1', scope: 'link' },
        ],
      },
      { ifname: 'wlan0', flags: up, addr_info: [{ local: '10.0.0.2', scope: 'global' }] },
      { ifname: 'wwan0', flags: up, addr_info: [{ local: '10.1.0.2', scope: 'global' }] },
      { ifname: 'usb0', flags: ['UP', 'NO-CARRIER'], addr_info: [null] },
    ]);
    const four = JSON.stringify([
      { dst: 'default', dev: 'eth0' },
      { dst: 'default', nexthops: [{ dev: 'wlan0' }, null, { dev: 'x' }] },
    ]);
    const six = JSON.stringify([{ dst: 'default', dev: 'eth0', metric: 1024 }]);
    expect(parseInterfaces(addresses, { 4: four, 6: six })).toEqual([
      { name: 'eth0', addresses: ['192.0.2.2'], defaultRoutes: [4, 6] },
      { name: 'wlan0', addresses: ['10.0.0.2'], defaultRoutes: [4] },
      { name: 'wwan0', addresses: ['10.1.0.2'], defaultRoutes: [] },
    ]);
  });
});

describe('the output of nmcli', () => {
  it('active connections, whose names may contain escaped colons', () => {
    expect(parseActiveConnections('Home\\: 5 GHz:wlan0\nlo:\n\nLTE:wwan0\n')).toEqual([
      { name: 'Home: 5 GHz', device: 'wlan0' },
      { name: 'LTE', device: 'wwan0' },
    ]);
  });

  it('its version', () => {
    expect(networkManagerFacts('nmcli tool, version 1.42.4\n', true, [])?.version).toBe('1.42.4');
    expect(networkManagerFacts('?', true, [])).toBeUndefined();
  });
});
