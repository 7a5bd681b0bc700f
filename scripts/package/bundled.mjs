import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Names of the packages whose code is in a bundle of `dist/`, by the source maps. */
export function bundledPackages() {
  const maps = readdirSync('dist', { recursive: true }).filter((file) => file.endsWith('.map'));
  const sources = maps.flatMap(
    (file) => JSON.parse(readFileSync(path.join('dist', file), 'utf8')).sources,
  );
  const names = sources.map((one) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(one)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}
