import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** The place of the app inside an AppImage varies, so it is found from this file. */
const APP_RUN = `#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/opt/multipath-dash/multipath-dash" "$@"
`;
/** Bytes 8 to 10 of a type 2 runtime (AppImage specification, "Type 2 image format"). */
const MAGIC = Buffer.from('AI\x02', 'latin1');

/**
 * The runtime in a file: a type 2 runtime as AppImage releases it, or the first part of a whole AppImage. An ELF file ends
 * with its section headers (e_shoff, e_shentsize, e_shnum), and there an AppImage's file system begins.
 * @throws Error if there is none
 */
export function readRuntime(file) {
  const bytes = readFileSync(file);
  if (bytes.length < 64 || !bytes.subarray(8, 11).equals(MAGIC)) {
    throw new Error(
      `${file} is no type 2 runtime of AppImage: its bytes 8 to 10 are not "AI\\x02"`,
    );
  }
  const end = Number(bytes.readBigUInt64LE(40)) + bytes.readUInt16LE(58) * bytes.readUInt16LE(60);
  return bytes.subarray(0, end);
}

/** Makes an AppDir of the package's tree, and an AppImage of that. @throws Error */
export function buildAppImage(stage, runtime, file, { fast }) {
  rmSync(path.join(stage, 'DEBIAN'), { recursive: true });
  writeFileSync(path.join(stage, 'AppRun'), APP_RUN);
  chmodSync(path.join(stage, 'AppRun'), 0o755);
  const command = path.join(stage, 'usr/bin/multipath-dash-player');
  rmSync(command);
  symlinkSync('../../AppRun', command);
  const entry = 'multipath-dash.desktop';
  const icon = 'multipath-dash.svg';
  copyFileSync(path.join(stage, 'usr/share/applications', entry), path.join(stage, entry));
  copyFileSync(
    path.join(stage, 'usr/share/icons/hicolor/scalable/apps', icon),
    path.join(stage, icon),
  );
  symlinkSync(icon, path.join(stage, '.DirIcon'));

  const image = `${file}.squashfs`;
  // Every runtime reads gzip; older ones do not read zstd.
  const options = ['-root-owned', '-noappend', '-quiet', '-no-progress', '-comp', 'gzip'];
  if (fast) options.push('-Xcompression-level', '1');
  const { status, error } = spawnSync('mksquashfs', [stage, image, ...options], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    throw new Error(
      error
        ? `mksquashfs cannot be run (apt-get install squashfs-tools): ${error.message}`
        : 'mksquashfs failed',
    );
  }
  writeFileSync(file, runtime);
  appendFileSync(file, readFileSync(image));
  rmSync(image);
  chmodSync(file, 0o755);
}
