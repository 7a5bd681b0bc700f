import { expect, it } from 'vitest';
import { parseDefaultInterfaces } from './default-routes';

/** Captured on Linux 6, without the padding of the lines. */
const IPV4_HEAD =
  'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT';
const VIA_LTE = 'lte\t00000000\t0100020A\t0003\t0\t0\t200\t00000000\t0\t0\t0';
const VIA_WLAN = 'wlan\t00000000\t0100010A\t0003\t0\t0\t100\t00000000\t0\t0\t0';
const UNREACHABLE = '*\t00000000\t00000000\t0201\t0\t0\t4278198272\t00000000\t0\t0\t0';
const HALF_VIA_TUN = 'tun0\t00000000\t0100020A\t0003\t0\t0\t300\t00000080\t0\t0\t0';
const SUBNET = 'nas0\t0032A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0';
const ZEROS = '0'.repeat(32);
const SUBNET6 = `fd${'0'.repeat(30)} 40 ${ZEROS} 00 ${ZEROS} 00000100 00000001 00000000 00000001     nas0`;
const via6 = (name: string, metric: string): string =>
  `${ZEROS} 00 ${ZEROS} 00 fd${'0'.repeat(29)}1 ${metric} 00000001 00000000 00000003     ${name}`;
const UNREACHABLE6 = `${ZEROS} 00 ${ZEROS} 00 ${ZEROS} 00000009 00000001 00000000 00200200       lo`;

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

it('lists the interfaces of default routes, the lowest metric first', () => {
  const table = text(IPV4_HEAD, SUBNET, VIA_LTE, VIA_WLAN, UNREACHABLE);
  expect(parseDefaultInterfaces(table, '')).toEqual(['wlan', 'lte']);
});

it('puts the half of a VPN before the default routes that it overrides', () => {
  const table = text(IPV4_HEAD, HALF_VIA_TUN, VIA_LTE);
  expect(parseDefaultInterfaces(table, '')).toEqual(['tun0', 'lte']);
});

it('appends interfaces that have a default route of IPv6 only', () => {
  const table6 = text(SUBNET6, via6('eth1', '00000400'), via6('lte', '00000007'), UNREACHABLE6);
  expect(parseDefaultInterfaces(text(IPV4_HEAD, VIA_LTE), table6)).toEqual(['lte', 'eth1']);
  expect(parseDefaultInterfaces('', table6)).toEqual(['lte', 'eth1']);
});

it('finds none in empty or odd tables', () => {
  expect(parseDefaultInterfaces('', '')).toEqual([]);
  expect(parseDefaultInterfaces(text(IPV4_HEAD, SUBNET), text(SUBNET6, 'x'))).toEqual([]);
});
