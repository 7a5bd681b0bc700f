import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createPackageWithOptions } from '@electron/asar';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';

const NAME = 'multipath-dash-player';
const PROGRAM = 'multipath-dash';
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** Why each is set: src/app/README.md. Electron 22 has no integrity check of the archive on Linux. */
const fuses = {
  version: FuseVersion.V1,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
};

/** Files that the app reads at run time. */
const content = [
  'dist/app',
  'native/build/multipath_dash.node',
  'native/build/netlink',
  'node_modules/netlink/dist',
  'node_modules/netlink/package.json',
  'node_modules/node-gyp-build',
  'LICENSE',
];

/** Desktop integration: file in `packaging/linux`, its place. */
const integration = [
  ['multipath-dash.desktop', 'usr/share/applications/multipath-dash.desktop'],
  ['multipath-dash.xml', 'usr/share/mime/packages/multipath-dash.xml'],
  ['multipath-dash.svg', 'usr/share/icons/hicolor/scalable/apps/multipath-dash.svg'],
  ['multipath-dash-player', 'usr/bin/multipath-dash-player'],
];

/** Lays out the package's tree. @returns name, version and Debian's name of the architecture */
export async function stageTree(stage, runtime) {
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  const arch = ARCHITECTURES[process.arch];
  if (arch === undefined) throw new Error(`no package for ${process.arch}`);
  const home = path.join(stage, 'opt/multipath-dash');
  cpSync(runtime, home, { recursive: true });
  rmSync(path.join(home, 'resources'), { recursive: true, force: true });
  mkdirSync(path.join(home, 'resources'));
  renameSync(path.join(home, 'electron'), path.join(home, PROGRAM));
  // Chromium's sandbox where user namespaces are switched off.
  chmodSync(path.join(home, 'chrome-sandbox'), 0o4755);
  await packApp(path.join(home, 'resources/app.asar'), { version, license });
  await flipFuses(path.join(home, PROGRAM), fuses);
  for (const [file, place] of integration) {
    const to = path.join(stage, place);
    mkdirSync(path.dirname(to), { recursive: true });
    cpSync(path.join('packaging/linux', file), to);
    chmodSync(to, place.startsWith('usr/bin/') ? 0o755 : 0o644);
  }
  mkdirSync(path.join(stage, 'DEBIAN'));
  writeFileSync(path.join(stage, 'DEBIAN/control'), control({ version, arch, stage }));
  return { name: NAME, version, arch };
}

async function packApp(archive, { version, license }) {
  const work = mkdtempSync(path.join(os.tmpdir(), 'multipath-dash-package-'));
  try {
    for (const file of content.filter(existsSync)) {
      cpSync(file, path.join(work, file), {
        recursive: true,
        filter: (from) => !from.endsWith('.map') && !/\.(o|d)$/.test(from),
      });
    }
    const manifest = { name: 'multipath-dash', version, license, main: 'dist/app/main.cjs' };
    writeFileSync(path.join(work, 'package.json'), JSON.stringify(manifest));
    // The kernel loads an addon from a file of its own.
    await createPackageWithOptions(work, archive, { unpack: '**/*.node' });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function control({ version, arch, stage }) {
  const size = execFileSync('du', ['-sk', stage], { encoding: 'utf8' }).split('\t')[0];
  return `Package: ${NAME}
Version: ${version}
Architecture: ${arch}
Maintainer: multipath-dash
Section: video
Priority: optional
Installed-Size: ${size}
Depends: libgtk-3-0 | libgtk-3-0t64, libnss3, libasound2 | libasound2t64, libgbm1, libxss1, libxtst6
Recommends: mptcpize
Description: DASH video player over every network of this computer
 Plays DASH streams over several networks at once: by MPTCP where the server
 speaks it, by byte ranges over every network otherwise.
`;
}
