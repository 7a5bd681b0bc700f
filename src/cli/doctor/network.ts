import { shellWord } from '../../runner/host';
import type { DoctorFacts, Finding, NetworkInterfaceFacts } from './model';

const isGlobal = (item: NetworkInterfaceFacts): boolean => item.addresses.length > 0;

function interfaceFindings(facts: DoctorFacts): Finding[] {
  const usable = facts.interfaces.filter(isGlobal);
  const names = usable.map((item) => item.name).join(', ');
  if (usable.length === 0) {
    return [
      {
        id: 'network.interfaces',
        level: 'warn',
        title: 'no network is up',
        meaning:
          'Only streams of this very machine can be played; the demo brings its own networks.',
      },
    ];
  }
  if (usable.length === 1) {
    return [
      {
        id: 'network.interfaces',
        level: 'info',
        title: `one network is up: ${names}`,
        meaning:
          'Streams play over one path. Connect a second network (Wi-Fi, cellular, cable) to use two; the demo brings its own.',
      },
    ];
  }
  return [
    {
      id: 'network.interfaces',
      level: 'ok',
      title: `${usable.length} networks are up: ${names}`,
      meaning: 'A stream can use all of them at once.',
    },
  ];
}

/** Each network needs its own default route. Without one, packets of a subflow bound to it have no way out. */
function routeFindings(facts: DoctorFacts): Finding[] {
  return facts.interfaces.filter(isGlobal).map((item): Finding => {
    const id = `network.route.${item.name}`;
    if (item.defaultRoutes.length > 0) {
      return {
        id,
        level: 'ok',
        title: `${item.name} has a default route`,
        meaning: 'A subflow over it reaches the server.',
      };
    }
    return {
      id,
      level: facts.interfaces.filter(isGlobal).length > 1 ? 'warn' : 'info',
      title: `${item.name} has no default route`,
      meaning: 'A subflow over it reaches only its own network, so this path will not join.',
      fix: `ip route add default via <gateway of ${item.name}> dev ${item.name} metric 200`,
    };
  });
}

/** Strict reverse path filtering drops packets that arrive on a network other than the first choice. */
function filterFindings(facts: DoctorFacts): Finding[] {
  if (facts.rpFilterAll === undefined) return [];
  // The kernel takes the larger of the two values.
  const strict = facts.interfaces.filter(
    (item) => isGlobal(item) && Math.max(facts.rpFilterAll ?? 0, item.rpFilter ?? 0) === 1,
  );
  if (strict.length === 0) {
    return [
      {
        id: 'network.rp-filter',
        level: 'ok',
        title: 'reverse path filtering is loose or off',
        meaning: 'Answers on the second network are not dropped.',
      },
    ];
  }
  const names = strict.map((item) => item.name);
  const one = facts.interfaces.filter(isGlobal).length < 2;
  return [
    {
      id: 'network.rp-filter',
      level: one ? 'info' : 'warn',
      title: `strict reverse path filtering on ${names.join(', ')}`,
      meaning: one
        ? 'Harmless with one network; with a second one it breaks joins.'
        : 'Packets of the second path may be dropped, so that it does not join.',
      fix: ['all', ...names]
        .map((name) => `sysctl -w net.ipv4.conf.${name}.rp_filter=2`)
        .join(' && '),
    },
  ];
}

/** Kernels before `path_manager` name the manager by the number of pm_type. */
const isUserspace = ({ pathManager }: DoctorFacts): boolean =>
  pathManager === 'userspace' || pathManager === '1';

function limitFindings(facts: DoctorFacts): Finding[] {
  if (isUserspace(facts)) {
    return [
      {
        id: 'mptcp.path-manager',
        level: 'info',
        title: 'the path manager runs in user space',
        meaning:
          'Extra paths join only if a process opens them: the player opens those of its own connections, with ' +
          'CAP_NET_ADMIN or the helper mpd-pathctl, a daemon such as mptcpd for all.',
        fix: 'sysctl -w net.mptcp.pm_type=0',
      },
    ];
  }
  const { limits } = facts;
  if (!limits) {
    return [
      {
        id: 'mptcp.limits',
        level: 'info',
        title: 'the path manager could not be asked',
        meaning: 'The limit of extra paths is unknown; `ip mptcp limits` of iproute2 shows it.',
      },
    ];
  }
  if (limits.subflows === 0) {
    return [
      {
        id: 'mptcp.limits',
        level: 'warn',
        title: 'the path manager allows no extra subflow',
        meaning: 'Every connection stays on its first path.',
        fix: 'ip mptcp limits set subflows 2',
      },
    ];
  }
  return [
    {
      id: 'mptcp.limits',
      level: 'ok',
      title: `up to ${limits.subflows} extra subflows, ${limits.addAddrAccepted} announced addresses accepted`,
      meaning: 'Extra paths may join.',
    },
  ];
}

/** Networks from which the kernel may open subflows. */
function endpointFindings(facts: DoctorFacts): Finding[] {
  const { endpoints } = facts;
  const usable = facts.interfaces.filter(isGlobal);
  if (!endpoints || isUserspace(facts)) return [];
  const opens = endpoints.filter(
    ({ flags }) => flags.includes('subflow') || flags.includes('fullmesh'),
  );
  const covered = (item: NetworkInterfaceFacts): boolean =>
    opens.some(({ address, device }) => item.addresses.includes(address) || device === item.name);
  const missing = usable.filter((item) => !covered(item));
  const managed = (facts.networkManager?.running ?? false) && opens.length > 0;
  if (usable.length < 2 || missing.length <= 1) {
    return [
      {
        id: 'mptcp.endpoints',
        level: usable.length < 2 ? 'info' : 'ok',
        title: `${opens.length} endpoints for extra subflows${managed ? ' (NetworkManager keeps them)' : ''}`,
        meaning:
          usable.length < 2
            ? 'With one network there is nothing to join.'
            : 'Beside the path a connection starts on, the others can join.',
      },
    ];
  }
  return [
    {
      id: 'mptcp.endpoints',
      level: 'warn',
      title: `no endpoint for ${missing.map((item) => item.name).join(', ')}`,
      meaning: 'These networks do not join a connection that starts on another.',
      fix: missing
        .map((item) => `ip mptcp endpoint add ${item.addresses[0] ?? ''} dev ${item.name} subflow`)
        .join(' && '),
    },
  ];
}

function versionAtLeast(version: string, major: number, minor: number): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}

function managerFindings(facts: DoctorFacts): Finding[] {
  const manager = facts.networkManager;
  if (!manager?.running) return [];
  const id = 'network.manager';
  if (!versionAtLeast(manager.version, 1, 40)) {
    return [
      {
        id,
        level: 'info',
        title: `NetworkManager ${manager.version} does not handle MPTCP`,
        meaning: 'Endpoints must be set by hand again after each connect (since 1.40 it does so).',
      },
    ];
  }
  // Flag 0x1 is "disabled"; nmcli prints it by name or number.
  const off = manager.connections.filter(({ mptcpFlags }) =>
    /^(?:disabled|1|0x1)\b/.test(mptcpFlags),
  );
  if (off.length === 0) {
    return [
      {
        id,
        level: 'ok',
        title: `NetworkManager ${manager.version} sets the endpoints`,
        meaning: 'Networks join and leave by themselves.',
      },
    ];
  }
  return [
    {
      id,
      level: 'warn',
      title: `NetworkManager keeps MPTCP off on ${off.map(({ device }) => device).join(', ')}`,
      meaning: 'These networks do not join a connection.',
      fix: off
        .map(
          ({ name }) => `nmcli connection modify ${shellWord(name)} connection.mptcp-flags subflow`,
        )
        .join(' && '),
    },
  ];
}

/** The meaning of the machine's networks and the kernel's path manager for multipath playback. */
export function networkFindings(facts: DoctorFacts): Finding[] {
  return [
    ...limitFindings(facts),
    ...endpointFindings(facts),
    ...interfaceFindings(facts),
    ...routeFindings(facts),
    ...filterFindings(facts),
    ...managerFindings(facts),
  ];
}
