import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { errorText } from '../../core';
import { labFindings } from '../../lab';
import { loadNative, readMptcpEnabled, readMptcpSuspension, findTunnel } from '../../kernel';
import { findBrowser, findElectron, packageRoot } from '../../runner/host';
import { installationFacts } from './installation';
import type { DoctorFacts, NetworkManagerFacts, ToolFacts } from './model';
import {
  networkManagerFacts,
  parseActiveConnections,
  parseEndpoints,
  parseInterfaces,
  parseLimits,
} from './parse';

/** Time limit of one program, so that a hanging one does not block the report. Chosen; no measurement. */
const TIMEOUT_MS = 5000;
/** CAP_NET_ADMIN in the masks of /proc/self/status. */
const CAP_NET_ADMIN_BIT = 12n;

/** Output of a program, or undefined if it is missing or fails. Only queries, no changes. */
function ask(program: string, ...args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: TIMEOUT_MS, maxBuffer: 8 << 20 }, (error, stdout) => {
      resolve(error ? undefined : stdout);
    });
  });
}

function readNumber(file: string): number | undefined {
  try {
    const value = Number(readFileSync(file, 'utf8').trim());
    return Number.isFinite(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function addonFacts(): DoctorFacts['addon'] {
  try {
    return { loaded: true, capabilities: loadNative().capabilities() };
  } catch (error) {
    return { loaded: false, reason: errorText(error) };
  }
}

async function browserFacts(): Promise<ToolFacts> {
  let file: string;
  try {
    file = findBrowser();
  } catch {
    return undefined;
  }
  const answer = await ask(file, '--version');
  return { path: file, version: /\d+(?:\.\d+)+/.exec(answer ?? '')?.[0] ?? '' };
}

/** The runtime that `multipath-dash app` would start. */
function electronFacts(): ToolFacts {
  try {
    const file = findElectron(process.env, packageRoot(), process.cwd());
    return {
      path: file,
      version: readText(path.join(path.dirname(file), 'version'))?.replace(/^v/, '') ?? '',
    };
  } catch {
    return undefined;
  }
}

async function managerFacts(): Promise<NetworkManagerFacts | undefined> {
  const version = await ask('nmcli', '--version');
  if (version === undefined) return undefined;
  const running = (await ask('nmcli', '-t', '-f', 'RUNNING', 'general'))?.trim() === 'running';
  const active = await ask('nmcli', '-t', '-f', 'NAME,DEVICE', 'connection', 'show', '--active');
  const connections = await Promise.all(
    parseActiveConnections(active ?? '').map(async ({ name, device }) => {
      const field = 'connection.mptcp-flags';
      const flags = await ask('nmcli', '-g', field, 'connection', 'show', 'id', name);
      return { name, device, mptcpFlags: flags?.trim() ?? '' };
    }),
  );
  return networkManagerFacts(version, running, connections);
}

function hasCapNetAdmin(): boolean {
  const mask = /^CapEff:\s*([0-9a-f]+)/m.exec(readText('/proc/self/status') ?? '')?.[1] ?? '0';
  return ((BigInt(`0x${mask}`) >> CAP_NET_ADMIN_BIT) & 1n) === 1n;
}

/** Collects the facts of the machine. Reads only. */
export async function gatherDoctorFacts(): Promise<DoctorFacts> {
  const [limits, endpoints, addresses, routes4, routes6, networkManager, browser, demo, tunnel] =
    await Promise.all([
      ask('ip', 'mptcp', 'limits', 'show'),
      ask('ip', '-json', 'mptcp', 'endpoint', 'show'),
      ask('ip', '-json', 'address'),
      ask('ip', '-4', '-json', 'route', 'show', 'table', 'all', 'default'),
      ask('ip', '-6', '-json', 'route', 'show', 'table', 'all', 'default'),
      managerFacts(),
      browserFacts(),
      labFindings(),
      findTunnel(),
    ]);
  const interfaces = parseInterfaces(addresses ?? '', { 4: routes4 ?? '', 6: routes6 ?? '' });
  return {
    installation: installationFacts(packageRoot()),
    kernelRelease: os.release(),
    mptcpEnabled: readMptcpEnabled(),
    mptcpSuspensions: readMptcpSuspension().times,
    pathManager:
      readText('/proc/sys/net/mptcp/path_manager') ?? readText('/proc/sys/net/mptcp/pm_type'),
    addon: addonFacts(),
    limits: limits === undefined ? undefined : parseLimits(limits),
    endpoints: endpoints === undefined ? undefined : parseEndpoints(endpoints),
    interfaces: interfaces.map((item) => ({
      ...item,
      rpFilter: readNumber(`/proc/sys/net/ipv4/conf/${item.name}/rp_filter`),
    })),
    rpFilterAll: readNumber('/proc/sys/net/ipv4/conf/all/rp_filter'),
    networkManager,
    tunnel,
    browser,
    electron: electronFacts(),
    demo,
    isRoot: process.getuid?.() === 0,
    capNetAdmin: hasCapNetAdmin(),
  };
}
