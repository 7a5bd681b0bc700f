import type { DoctorFacts, Finding, FindingLevel } from './model';
import { networkFindings } from './network';

/** Without MPTCP, byte ranges still use every network where they can. */
const withoutMptcp = (facts: DoctorFacts): FindingLevel =>
  carriageFindings(facts).some(({ level }) => level === 'ok') ? 'warn' : 'fail';

function kernelFindings(facts: DoctorFacts): Finding[] {
  const kernel = `Linux ${facts.kernelRelease}`;
  if (facts.mptcpEnabled === undefined) {
    return [
      {
        id: 'kernel.mptcp',
        level: withoutMptcp(facts),
        title: `${kernel} has no MPTCP`,
        meaning: 'Streams come in byte ranges over every network, never over MPTCP.',
        fix: 'boot a kernel of 5.6 or later built with CONFIG_MPTCP (every large distribution ships one)',
      },
    ];
  }
  const findings: Finding[] = [
    {
      id: 'kernel.mptcp',
      level: 'ok',
      title: `${kernel} has MPTCP`,
      meaning: 'Streams can use several paths.',
    },
  ];
  if (!facts.mptcpEnabled) {
    findings.push({
      id: 'kernel.mptcp-enabled',
      level: withoutMptcp(facts),
      title: 'net.mptcp.enabled is 0',
      meaning: 'Streams come in byte ranges over every network, never over MPTCP.',
      fix: 'sysctl -w net.mptcp.enabled=1',
    });
  }
  if (facts.mptcpSuspensions > 0) {
    findings.push({
      id: 'kernel.mptcp-suspended',
      level: 'warn',
      title: 'the kernel has taken a network for one that drops MPTCP',
      meaning:
        'For up to net.mptcp.blackhole_timeout seconds after that, new connections are plain TCP. An outage can be the cause.',
      fix: 'sysctl -w net.mptcp.blackhole_timeout=3600',
    });
  }
  return findings;
}

function addonFindings(facts: DoctorFacts): Finding[] {
  const { addon } = facts;
  if (!addon.loaded) {
    return [
      {
        id: 'addon',
        level: 'fail',
        title: 'the native addon is not built',
        meaning: `No path is seen, so bitrates follow past requests only (${addon.reason}).`,
        fix: 'npm run setup',
      },
    ];
  }
  const { capabilities } = addon;
  const findings: Finding[] = [
    {
      id: 'addon',
      level: 'ok',
      title:
        capabilities.tcpInfoLength > 0
          ? `the native addon works (tcp_info ${capabilities.tcpInfoLength} B, mptcp_info ${capabilities.mptcpInfoLength} B)`
          : 'the native addon works',
      meaning: 'Paths are sampled on their own thread.',
    },
  ];
  if (facts.mptcpEnabled !== true) return findings;
  if (!capabilities.mptcpDiag) {
    findings.push({
      id: 'stats.diag',
      level: 'fail',
      title: 'the kernel offers no MPTCP statistics',
      meaning: 'Connections and paths cannot be seen.',
      fix: 'modprobe mptcp_diag',
    });
  } else if (!capabilities.ulpInfo) {
    findings.push({
      id: 'stats.subflows',
      level: 'warn',
      title: 'the kernel hides subflows from this user',
      meaning: `${capabilities.ulpInfoReason ?? 'Linux before 6.15 shows them to CAP_NET_ADMIN only'}. The desktop player reads its own sockets instead; \`watch\` sees no subflows.`,
      fix: 'sudo multipath-dash watch',
    });
  }
  return findings;
}

/** The first choice of the carriages: it needs no privilege, and ranges of the server. */
function carriageFindings({ addon, interfaces, tunnel }: DoctorFacts): Finding[] {
  const id = 'carriage';
  const routed = interfaces.filter(({ defaultRoutes }) => defaultRoutes.length > 0);
  if (!addon.loaded || routed.length < 2) return [];
  const names = routed.map(({ name }) => name).join(', ');
  if (tunnel.state !== 'none') {
    return [
      {
        id,
        level: 'info',
        title:
          tunnel.state === 'found'
            ? `${tunnel.name} carries this computer's traffic, as a VPN does`
            : `a VPN may carry this computer's traffic: ${tunnel.reason}`,
        meaning: "Media keep to the system's routes, because sockets of one network bypass a VPN.",
        fix: 'multipath-dash play --carriage ranges URL',
      },
    ];
  }
  return [
    {
      id,
      level: 'ok',
      title: `byte ranges can come over ${names}`,
      meaning: 'Streams come over each of them, whatever the server speaks (--carriage auto).',
    },
  ];
}

function playerFindings(facts: DoctorFacts): Finding[] {
  const tool = (id: string, name: string, facts_: DoctorFacts['browser']): Finding | undefined =>
    facts_ && {
      id,
      level: 'ok',
      title: `${name} ${facts_.version}`.trim(),
      meaning: `Plays streams (${facts_.path}).`,
    };
  const browser = tool('player.browser', 'browser', facts.browser);
  const electron = tool('player.electron', 'Electron', facts.electron);
  const level: FindingLevel = (browser ?? electron) ? 'warn' : 'fail';
  return [
    browser ?? {
      id: 'player.browser',
      level,
      title: 'no Chromium-family browser',
      meaning: 'Neither the headless demo nor `multipath-dash play` can run.',
      fix: 'apt-get install chromium',
    },
    electron ?? {
      id: 'player.electron',
      level,
      title: 'no Electron runtime',
      meaning: 'The desktop player cannot start.',
      fix: 'npm run setup -- --for app',
    },
  ];
}

const demoMeaning: Record<string, string> = {
  mptcpize: 'Streams come in byte ranges over every network, never over MPTCP.',
};

function demoFindings(facts: DoctorFacts): Finding[] {
  return facts.demo.map((need): Finding => {
    const id = `demo.${need.id}`;
    if (need.ok) return { id, level: 'ok', title: need.message, meaning: 'The demo can use it.' };
    return {
      id,
      // Without mptcpize the player cannot use MPTCP. Only the demo and the lab need the other tools.
      level: need.id === 'mptcpize' ? withoutMptcp(facts) : 'warn',
      title: need.message,
      meaning: demoMeaning[need.id] ?? 'Streams play; the demo and the lab do not run.',
      ...(need.fix === undefined ? {} : { fix: need.fix }),
    };
  });
}

function privilegeFindings(facts: DoctorFacts): Finding[] {
  if (facts.capNetAdmin) {
    return [
      {
        id: 'privileges',
        level: 'ok',
        title: facts.isRoot ? 'running as root' : 'CAP_NET_ADMIN is there',
        meaning: 'Path-manager events arrive at once.',
      },
    ];
  }
  return [
    {
      id: 'privileges',
      level: 'info',
      title: 'no CAP_NET_ADMIN',
      meaning:
        'Enough to play and to watch; path-manager events are not readable, so a joined or lost subflow shows up to half a second later.',
    },
  ];
}

function installationFindings({ installation }: DoctorFacts): Finding[] {
  const { kind, folder, desktopPlayer } = installation;
  const beside =
    desktopPlayer === undefined ? '' : `; the desktop player is installed (${desktopPlayer})`;
  return [
    {
      id: 'installation',
      level: 'ok',
      title: `runs from ${kind === 'checkout' ? 'a checkout' : 'an installed package'}: ${folder}${beside}`,
      meaning:
        'A package is updated by its package manager, a checkout by `git pull` and `npm run build`.',
    },
  ];
}

/** Programs of remedies that only root may run with success. */
const ROOT_PROGRAMS = ['apt-get', 'chmod', 'ip', 'modprobe', 'sysctl'];

/** A remedy as this user types it: with sudo where it needs root, without where the user is root. */
function remedyFor(isRoot: boolean, fix: string): string {
  const commands = fix.split(' && ').map((command) => {
    const plain = command.replace(/^sudo /, '');
    const [program = ''] = plain.split(' ');
    if (isRoot) return plain;
    return ROOT_PROGRAMS.includes(program) ? `sudo ${plain}` : command;
  });
  return commands.join(' && ');
}

/** Judges the facts: the meaning of each for playback and its remedy. */
export function doctorFindings(facts: DoctorFacts): Finding[] {
  return allFindings(facts).map((finding) =>
    finding.fix === undefined ? finding : { ...finding, fix: remedyFor(facts.isRoot, finding.fix) },
  );
}

function allFindings(facts: DoctorFacts): Finding[] {
  return [
    ...kernelFindings(facts),
    ...addonFindings(facts),
    ...carriageFindings(facts),
    ...(facts.mptcpEnabled === true ? networkFindings(facts) : []),
    ...playerFindings(facts),
    ...demoFindings(facts),
    ...privilegeFindings(facts),
    ...installationFindings(facts),
  ];
}

/** 1 if a check fails, else 0. */
export function doctorExitCode(findings: readonly Finding[]): 0 | 1 {
  return findings.some((finding) => finding.level === 'fail') ? 1 : 0;
}
