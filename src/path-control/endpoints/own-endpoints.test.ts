import { describe, expect, it } from 'vitest';
import { PathControlError, type EndpointInfo } from '../../ports';
import { makeOwnEndpoints, parseDefaultRoutes } from './own-endpoints';

const IPV4 = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
wwan0\t00000000\t00000000\t0001\t0\t0\t700\t00000000\t0\t0\t0
docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
tun0\t00000000\t0100000A\t0003\t0\t0\t0\t00000080\t0\t0\t0
`;
const zero = '0'.repeat(32);
const ipv6 = `${zero} 00 ${zero} 00 fe800000000000000000000000000001 00000400 1 0 00450003 eth1
${zero} 00 ${zero} 00 ${zero} ffffffff 1 0 00200200 lo
20010db8000000000000000000000000 40 ${zero} 00 ${zero} 00000100 1 0 00000001 wlan0
`;

function control(endpoints: EndpointInfo[], refuse: (name: string) => boolean = () => false) {
  const asked: string[] = [];
  return {
    asked,
    capability: () => ({ available: true, through: 'fake' }) as const,
    list: () => Promise.resolve(endpoints),
    setState: (pathId: string) => {
      asked.push(pathId);
      return refuse(pathId)
        ? Promise.reject(new PathControlError('DENIED', `${pathId}: not yours`))
        : Promise.resolve();
    },
  };
}
const foreign: EndpointInfo = {
  pathId: 'wlan0',
  address: '192.168.1.2',
  endpointId: 1,
  state: 'active',
  origin: 'foreign',
  changed: false,
};

describe('own endpoints', () => {
  it('finds networks with a default route, not bridges, half routes or "unreachable"', () => {
    expect(parseDefaultRoutes(IPV4, ipv6)).toEqual(['wlan0', 'wwan0', 'eth1']);
    expect(parseDefaultRoutes('', '')).toEqual([]);
  });

  it('makes one a network if the system has none', async () => {
    const fake = control([], (name) => name === 'wwan0');
    const result = await makeOwnEndpoints(fake, ['wlan0', 'wwan0', 'eth1']);
    expect(result).toEqual({ made: ['wlan0', 'eth1'], failures: ['wwan0: not yours'] });
  });

  it('makes none if another process made one, or with one network', async () => {
    const kept = control([foreign]);
    expect((await makeOwnEndpoints(kept, ['wlan0', 'wwan0'])).made).toEqual([]);
    const single = control([]);
    await makeOwnEndpoints(single, ['wlan0']);
    expect([...kept.asked, ...single.asked]).toEqual([]);
  });
});
