import { describe, expect, it } from 'vitest';
import { doctorExitCode, doctorFindings } from './findings';
import type { DoctorFacts, Finding } from './model';
import { doctorLines, runDoctor } from './command';
import { installationFacts } from './installation';

const capabilities = {
  mptcp: true,
  mptcpDiag: true,
  ulpInfo: true,
  fullInfo: true,
  tcpInfoLength: 280,
  mptcpInfoLength: 96,
};
const wlan = { name: 'wlan0', addresses: ['10.0.1.2'], defaultRoutes: [4 as const], rpFilter: 0 };
const wwan = { name: 'wwan0', addresses: ['10.0.2.2'], defaultRoutes: [4 as const], rpFilter: 0 };

/** A machine without problems. */
const good: DoctorFacts = {
  installation: { kind: 'checkout', folder: '/src/multipath-dash' },
  kernelRelease: '6.18.0',
  mptcpEnabled: true,
  mptcpSuspensions: 0,
  pathManager: 'kernel',
  addon: { loaded: true, capabilities },
  limits: { subflows: 2, addAddrAccepted: 0 },
  endpoints: [
    { address: '10.0.1.2', device: 'wlan0', flags: ['subflow'] },
    { address: '10.0.2.2', device: 'wwan0', flags: ['subflow'] },
  ],
  interfaces: [wlan, wwan],
  rpFilterAll: 0,
  networkManager: undefined,
  tunnel: { state: 'none' },
  browser: { path: '/usr/bin/chromium', version: '156' },
  electron: { path: '/opt/electron', version: '22.3.25' },
  demo: [{ id: 'mptcpize', ok: true, message: 'mptcpize works' }],
  isRoot: false,
  capNetAdmin: true,
};

const noMptcpize = {
  id: 'mptcpize',
  ok: false,
  message: 'missing',
  fix: 'apt-get install mptcpize',
};

const judge = (over: Partial<DoctorFacts>): Finding[] => doctorFindings({ ...good, ...over });
const wrong = (findings: Finding[]): string[] =>
  findings.filter((f) => f.level === 'warn' || f.level === 'fail').map((f) => `${f.level} ${f.id}`);

describe('doctorFindings', () => {
  it('finds no problem on a good machine', () => {
    expect(wrong(judge({}))).toEqual([]);
    expect(judge({}).every((finding) => finding.level === 'ok')).toBe(true);
    expect(doctorExitCode(judge({}))).toBe(0);
  });

  it.each<[string, Partial<DoctorFacts>, string[], RegExp]>([
    [
      'a kernel without MPTCP',
      { mptcpEnabled: undefined, interfaces: [wlan] },
      ['fail kernel.mptcp'],
      /CONFIG_MPTCP/,
    ],
    [
      'MPTCP switched off',
      { mptcpEnabled: false, interfaces: [wlan] },
      ['fail kernel.mptcp-enabled'],
      /^sudo sysctl -w net\.mptcp\.enabled=1$/,
    ],
    [
      'MPTCP switched off, two networks',
      { mptcpEnabled: false },
      ['warn kernel.mptcp-enabled'],
      /mptcp\.enabled=1$/,
    ],
    [
      'MPTCP suspended',
      { mptcpSuspensions: 1 },
      ['warn kernel.mptcp-suspended'],
      /blackhole_timeout=3600/,
    ],
    ['no addon', { addon: { loaded: false, reason: 'no file' } }, ['fail addon'], /npm run/],
    [
      'no diag module',
      { addon: { loaded: true, capabilities: { ...capabilities, mptcpDiag: false } } },
      ['fail stats.diag'],
      /modprobe mptcp_diag/,
    ],
    [
      'hidden subflows',
      { addon: { loaded: true, capabilities: { ...capabilities, ulpInfo: false } } },
      ['warn stats.subflows'],
      /sudo/,
    ],
    [
      'no extra subflows',
      { limits: { subflows: 0, addAddrAccepted: 0 } },
      ['warn mptcp.limits'],
      /limits set subflows 2/,
    ],
    [
      'no endpoints',
      { endpoints: [] },
      ['warn mptcp.endpoints'],
      /^sudo ip mptcp endpoint add 10\.0\.1\.2 dev wlan0 subflow && sudo .*10\.0\.2\.2/,
    ],
    [
      'a network without a way out',
      { interfaces: [wlan, { ...wwan, defaultRoutes: [] }] },
      ['warn network.route.wwan0'],
      /dev wwan0/,
    ],
    ['strict filtering', { rpFilterAll: 1 }, ['warn network.rp-filter'], /wlan0\.rp_filter=2/],
    [
      'strict filtering of one',
      { interfaces: [wlan, { ...wwan, rpFilter: 1 }] },
      ['warn network.rp-filter'],
      /^sudo sysctl -w net\.ipv4\.conf\.all\.rp_filter=2 && sudo sysctl -w net\.ipv4\.conf\.wwan0\.rp_filter=2$/,
    ],
    ['no browser', { browser: undefined }, ['warn player.browser'], /chromium/],
    [
      'no player at all',
      { browser: undefined, electron: undefined },
      ['fail player.browser', 'fail player.electron'],
      /chromium/,
    ],
    ['no mptcpize', { demo: [noMptcpize], interfaces: [wlan] }, ['fail demo.mptcpize'], /mptcpize/],
    ['no mptcpize, two networks', { demo: [noMptcpize] }, ['warn demo.mptcpize'], /mptcpize/],
    [
      'no nginx',
      { demo: [{ id: 'nginx', ok: false, message: 'missing', fix: 'apt-get install nginx' }] },
      ['warn demo.nginx'],
      /nginx/,
    ],
  ])('%s', (_name, over, expected, fix) => {
    const findings = judge(over);
    expect(wrong(findings)).toEqual(expected);
    const fixes = findings
      .filter((f) => f.level === 'warn' || f.level === 'fail')
      .map((f) => f.fix);
    expect(fixes.join(' ')).toMatch(fix);
    expect(doctorExitCode(findings)).toBe(expected.some((e) => e.startsWith('fail')) ? 1 : 0);
  });

  it('one network alone is information, no network is a warning', () => {
    const findings = judge({ interfaces: [wlan], endpoints: [], rpFilterAll: 1 });
    expect(wrong(findings)).toEqual([]);
    expect(findings.find((f) => f.id === 'network.interfaces')?.level).toBe('info');
    expect(wrong(judge({ interfaces: [] }))).toEqual(['warn network.interfaces']);
  });

  it('an address announced by one endpoint does not affect the starting path', () => {
    const endpoints = [{ address: '10.0.2.2', flags: ['subflow'] }];
    expect(wrong(judge({ endpoints }))).toEqual([]);
    // `signal` alone opens nothing.
    expect(wrong(judge({ endpoints: [{ address: '10.0.2.2', flags: ['signal'] }] }))).toEqual([
      'warn mptcp.endpoints',
    ]);
  });

  it.each(['userspace', '1'])('with path manager %s the other checks are omitted', (name) => {
    const findings = judge({ pathManager: name, endpoints: [] });
    expect(wrong(findings)).toEqual([]);
    expect(findings.find((f) => f.id === 'mptcp.path-manager')?.level).toBe('info');
  });

  it('judges NetworkManager by version and flags', () => {
    const connections = [
      { name: "Caf\u00e9 'LTE'", device: 'wwan0', mptcpFlags: '0x1 (disabled)' },
    ];
    const manager = { version: '1.42.4', running: true, connections };
    const off = judge({ networkManager: manager });
    expect(wrong(off)).toEqual(['warn network.manager']);
    expect(off.find((f) => f.id === 'network.manager')?.fix).toContain(
      "modify 'Caf\u00e9 '\\''LTE'\\''' connection",
    );
    expect(wrong(judge({ networkManager: { ...manager, running: false } }))).toEqual([]);
    const old = judge({ networkManager: { ...manager, version: '1.30.6' } });
    expect(old.find((f) => f.id === 'network.manager')?.level).toBe('info');
    const fine = [{ name: 'x', device: 'wwan0', mptcpFlags: '0x0 (default)' }];
    expect(wrong(judge({ networkManager: { ...manager, connections: fine } }))).toEqual([]);
  });

  it('gives root remedies without sudo, which a container lacks', () => {
    const fixes = (isRoot: boolean): (string | undefined)[] =>
      judge({ isRoot, demo: [{ ...noMptcpize, fix: 'sudo apt-get install mptcpize' }] }).flatMap(
        ({ fix }) => fix ?? [],
      );
    expect(fixes(true)).toEqual(['apt-get install mptcpize']);
    expect(fixes(false)).toEqual(['sudo apt-get install mptcpize']);
  });

  it('every finding has a meaning, and every problem a remedy or an explanation', () => {
    const broken = judge({
      mptcpEnabled: false,
      addon: { loaded: false, reason: 'x' },
      browser: undefined,
      capNetAdmin: false,
    });
    for (const finding of broken) {
      expect(finding.meaning).toMatch(/\.$/);
      if (finding.level === 'fail') expect(finding.fix).toBeTruthy();
    }
    expect(new Set(broken.map((f) => f.id)).size).toBe(broken.length);
  });
});

describe('runDoctor', () => {
  const run = async (facts: DoctorFacts, json: boolean): Promise<[number, string]> => {
    let text = '';
    const stdout = {
      write: (chunk: string) => (text += chunk),
    } as unknown as NodeJS.WritableStream;
    const status = await runDoctor({ json }, { stdout, gather: () => Promise.resolve(facts) });
    return [status, text];
  };

  it('prints JSON and exits 1 when something fails', async () => {
    const [status, text] = await run({ ...good, mptcpEnabled: false, interfaces: [wlan] }, true);
    expect(status).toBe(1);
    expect(JSON.parse(text)).toMatchObject({
      ok: false,
      findings: [
        {},
        { id: 'kernel.mptcp-enabled' },
        { id: 'addon' },
        {},
        {},
        {},
        {},
        { id: 'installation' },
      ],
    });
  });

  it('prints remedies for people, in colour only on request', async () => {
    const [status, text] = await run(
      { ...good, limits: { subflows: 0, addAddrAccepted: 0 } },
      false,
    );
    expect(status).toBe(0);
    expect(text).toContain('mend: sudo ip mptcp limits set subflows 2');
    expect(text).toContain('0 failures, 1 warning.');
    expect(text).not.toContain('\u001b');
    expect(doctorLines(doctorFindings(good), true).join('')).toContain('\u001b[32m');
  });
});

describe('installation', () => {
  it('reports whether the command runs from a package, and names the desktop player', () => {
    const facts = (...files: string[]) =>
      installationFacts('/here', (file) => files.includes(file));
    expect(facts('/here/src')).toEqual({ kind: 'checkout', folder: '/here' });
    const installation = facts('/opt/multipath-dash/multipath-dash');
    expect(installation.kind).toBe('package');
    const finding = judge({ installation }).find(({ id }) => id === 'installation');
    expect(finding?.title).toContain('an installed package: /here');
    expect(finding?.title).toContain('/opt/multipath-dash/multipath-dash');
  });
});
