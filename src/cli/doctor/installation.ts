import { existsSync } from 'node:fs';
import path from 'node:path';
import type { InstallationFacts } from './model';

/** The desktop player's place after an installation by `packaging/linux`. */
const DESKTOP_PLAYER = '/opt/multipath-dash/multipath-dash';

/** A package has no sources. */
export function installationFacts(
  folder: string,
  exists: (file: string) => boolean = existsSync,
): InstallationFacts {
  return {
    kind: exists(path.join(folder, 'src')) ? 'checkout' : 'package',
    folder,
    ...(exists(DESKTOP_PLAYER) && { desktopPlayer: DESKTOP_PLAYER }),
  };
}
