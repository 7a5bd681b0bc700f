import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundledPackages } from '../package/bundled.mjs';

const json = (name) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const nameOf = (folder) => folder.replace(/^.*node_modules\//, '');

/** Packages of the lock file that do not belong to this repository. */
const locked = Object.entries(json('package-lock.json').packages).filter(
  ([folder, { link }]) => folder.includes('node_modules/') && !link,
);

it('names every package with an install script, and allows none', () => {
  const { allowScripts } = json('package.json');
  const withScripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = withScripts.map(([folder]) => nameOf(folder));
  expect([...new Set(names)].sort()).toEqual(Object.keys(allowScripts).sort());
  expect(Object.values(allowScripts)).not.toContain(true);
});

describe('sbom.cdx.json', () => {
  const listed = json('sbom.cdx.json').components.flatMap((one) => [
    one,
    ...(one.components ?? []),
  ]);
  const texts = listed.map(({ group, name, version }) =>
    group === undefined ? `${name}@${version}` : `${group}/${name}@${version}`,
  );

  it('lists every package that an installation brings', () => {
    const installed = locked
      .filter(([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer)
      .map(([folder, { version }]) => `${nameOf(folder)}@${version}`);
    expect(installed.filter((one) => !texts.includes(one))).toEqual([]);
  });

  it('lists every package whose code is in a bundle (after `npm run build`)', () => {
    const names = texts.map((text) => text.replace(/@[^@]*$/, ''));
    const bundled = [...bundledPackages()];
    expect(bundled).toContain('media-chrome');
    expect(bundled.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('lists no other version than the locked ones', () => {
    const versions = locked.map(([folder, { version }]) => `${nameOf(folder)}@${version}`);
    const own = texts.filter((one) => one.startsWith('@multipath-dash/'));
    expect(texts.filter((one) => !versions.includes(one))).toEqual(own);
  });
});
