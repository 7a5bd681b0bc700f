import { describe, expect, it } from 'vitest';
import { InterfaceTable } from './interface-table';

const wlan = { index: 3, name: 'wlan0', up: true, loopback: false };

describe('InterfaceTable', () => {
  it('reports a link that goes down and up, once each', () => {
    const table = new InterfaceTable();
    expect(table.setLink(wlan).map((change) => change.kind)).toEqual(['interface-up']);
    expect(table.setLink(wlan)).toEqual([]);
    expect(table.setLink({ ...wlan, up: false })).toEqual([
      { kind: 'interface-down', interfaceName: 'wlan0', detail: 'wlan0 is down' },
    ]);
    expect(table.setLink({ ...wlan, up: false })).toEqual([]);
  });

  it('reports nothing for a new link without carrier', () => {
    expect(new InterfaceTable().setLink({ ...wlan, up: false })).toEqual([]);
  });

  it('names an address by its interface, even after its removal', () => {
    const table = new InterfaceTable();
    table.setLink(wlan);
    expect(table.addAddress(3, '10.0.1.2')).toMatchObject([
      { kind: 'address-added', interfaceName: 'wlan0', address: '10.0.1.2' },
    ]);
    expect(table.ownerOf('10.0.1.2')).toBe('wlan0');
    table.removeAddress(3, '10.0.1.2');
    expect(table.ownerOf('10.0.1.2')).toBe('wlan0');
    expect(table.ownerOf('10.0.9.9')).toBeUndefined();
  });

  it('lists deprecated addresses last, such as those of a router’s former prefix', () => {
    const table = new InterfaceTable();
    table.setLink(wlan);
    table.addAddress(3, '2001:db8:1::2');
    table.addAddress(3, '2001:db8:2::2');
    expect(table.addAddress(3, '2001:db8:1::2', true)).toEqual([]);
    expect(table.list()[0]?.addresses).toEqual(['2001:db8:2::2', '2001:db8:1::2']);
    table.addAddress(3, '2001:db8:1::2');
    expect(table.list()[0]?.addresses).toEqual(['2001:db8:1::2', '2001:db8:2::2']);
  });

  it('assigns an address to its next owner', () => {
    const table = new InterfaceTable();
    table.setLink(wlan);
    table.setLink({ ...wlan, index: 4, name: 'eth0' });
    table.addAddress(3, '10.0.1.2');
    table.addAddress(4, '10.0.1.2');
    expect(table.ownerOf('10.0.1.2')).toBe('eth0');
    // The late removal from the first owner ends no subflow of the address.
    expect(table.removeAddress(3, '10.0.1.2').map(({ kind }) => kind)).toEqual(['route-changed']);
    expect(table.ownerOf('10.0.1.2')).toBe('eth0');
  });

  it('keeps an address on both of two interfaces that have it', () => {
    const table = new InterfaceTable();
    table.setLink(wlan);
    table.setLink({ ...wlan, index: 4, name: 'usb0' });
    table.addAddress(3, '172.20.10.2');
    table.addAddress(4, '172.20.10.2');
    expect(table.list().map(({ addresses }) => addresses)).toEqual([
      ['172.20.10.2'],
      ['172.20.10.2'],
    ]);
    expect(table.ownerOf('172.20.10.2')).toBe('usb0');
    table.setLink({ ...wlan, index: 4, name: 'usb0', up: false });
    expect(table.ownerOf('172.20.10.2')).toBe('wlan0');
    table.removeLink(4);
    expect(table.ownerOf('172.20.10.2')).toBe('wlan0');
    expect(table.list()).toMatchObject([{ name: 'wlan0', addresses: ['172.20.10.2'] }]);
  });

  it('reports a renamed interface as one that goes and one that comes', () => {
    const table = new InterfaceTable();
    table.setLink(wlan);
    expect(table.setLink({ ...wlan, name: 'wifi' })).toMatchObject([
      { kind: 'interface-down', interfaceName: 'wlan0' },
      { kind: 'interface-up', interfaceName: 'wifi' },
    ]);
    expect(table.setLink({ ...wlan, name: 'wifi', up: false })).toMatchObject([
      { kind: 'interface-down', interfaceName: 'wifi' },
    ]);
    expect(table.setLink({ ...wlan, up: false })).toEqual([]);
  });

  it('takes a removed link down with its addresses, but keeps the name of its paths', () => {
    const table = new InterfaceTable();
    table.setLink(wlan);
    table.addAddress(3, '10.0.1.2');
    expect(table.removeLink(3).map((change) => change.kind)).toEqual([
      'interface-down',
      'address-removed',
    ]);
    expect(table.list()).toEqual([]);
    expect(table.ownerOf('10.0.1.2')).toBe('wlan0');
    expect(table.removeLink(3)).toEqual([]);
  });

  it('follows a renamed interface', () => {
    const table = new InterfaceTable();
    table.setLink(wlan);
    table.addAddress(3, '10.0.1.2');
    table.setLink({ ...wlan, name: 'wifi' });
    expect(table.ownerOf('10.0.1.2')).toBe('wifi');
  });

  it('forgets the oldest of very many former addresses', () => {
    const table = new InterfaceTable();
    table.setLink(wlan);
    for (let index = 0; index < 100; index += 1) {
      table.addAddress(3, `10.1.0.${index}`);
      table.removeAddress(3, `10.1.0.${index}`);
    }
    expect(table.ownerOf('10.1.0.0')).toBeUndefined();
    expect(table.ownerOf('10.1.0.99')).toBe('wlan0');
  });
});
