import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** A folder with fewer files needs no list: its file names are enough. */
const LARGE = 6;

const isSource = (name) =>
  /\.(ts|css|html|cc|h|c|js)$/.test(name) &&
  !/\.(test|spec|d|generated)\.ts$|_test\.cc$|^index\.(d\.)?ts$/.test(name);
const isHelper = (folder) => /\/(testing|contract|testdata|fuzz|test)(\/|$)/.test(folder);

/** Every folder of sources, new ones included, with the source files that lie directly in it. */
function folders() {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'e2e', 'native'],
    { cwd: ROOT },
  );
  const filesOf = new Map();
  for (const file of listed.toString().trim().split('\n')) {
    const { dir, base } = path.parse(file);
    if (!isSource(base) || isHelper(dir) || !existsSync(path.join(ROOT, file))) continue;
    filesOf.set(dir, (filesOf.get(dir) ?? new Set()).add(path.parse(base).name));
  }
  return [...filesOf].map(([folder, names]) => ({
    folder: path.join(ROOT, folder),
    files: [...names],
  }));
}

function mentions(text, name) {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(text)) return true;
  const groups = [...text.matchAll(/`([\w./-]*\*[\w.*-]*)`/g)].map(([, group]) => group ?? '');
  return groups.some((group) => {
    const pattern = path.basename(group).replace(/\.ts$/, '').replaceAll('.', '\\.');
    return new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name);
  });
}

/** The README of a folder, or of the nearest folder above. */
function readmeOf(folder) {
  const file = path.join(folder, 'README.md');
  return existsSync(file) ? file : readmeOf(path.dirname(folder));
}

const large = folders().filter(({ files }) => files.length >= LARGE);

it('finds the folders', () => {
  expect(large.length).toBeGreaterThan(20);
});

it.each(large.map((one) => [path.relative(ROOT, one.folder), one]))(
  '%s: a README lists what is there',
  (_name, { folder, files }) => {
    const file = readmeOf(folder);
    const text = readFileSync(file, 'utf8');
    const missing = files.filter((name) => !mentions(text, name));
    expect(missing, path.relative(ROOT, file)).toEqual([]);
  },
);

const layerRules = () =>
  createRequire(import.meta.url)(path.join(ROOT, '.dependency-cruiser.cjs')).forbidden.filter(
    ({ name }) => name.endsWith('-knows-what-is-below'),
  );

/** The folders that the layer rule permits, by folder of `src`. */
function permitted() {
  return layerRules().map(({ name, to }) => {
    const folders = /^\^src\/\((.*)\)\/$/.exec(to.pathNot)[1].split('|');
    return { folder: name.replace('-knows-what-is-below', ''), folders };
  });
}

/** The cell "May import" of a README's first table, which has its heads in the first row or column. */
function mayImport(text) {
  const [table] = /^\|[^]*?(?=\n\n|$(?![^]))/m.exec(text) ?? [''];
  const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const isHead = (cell) => cell.toLowerCase() === 'may import';
  const column = rows[0].findIndex(isHead);
  if (column <= 0) return rows.find((row) => row.some(isHead))?.[2] ?? '';
  return rows
    .slice(2)
    .map((row) => (row[column] ?? '').split(';')[0])
    .join(', ');
}

it.each(permitted().map((one) => [one.folder, one.folders]))(
  'src/%s: its README names the imports that the layers permit',
  (folder, folders) => {
    const cell = mayImport(readFileSync(path.join(ROOT, 'src', folder, 'README.md'), 'utf8'));
    const named = new Set(
      (cell.split(';')[0].match(/`[a-z-]+`/g) ?? []).map((name) => name.replaceAll('`', '')),
    );
    const permitted = folders.filter((name) => name !== folder);
    expect([...named].sort(), folder).toEqual([...permitted].sort());
    expect(named.size > 0 || cell === 'nothing').toBe(true);
  },
);

it('ARCHITECTURE.md describes every folder of src', () => {
  const text = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const missing = readdirSync(path.join(ROOT, 'src')).filter(
    (folder) => !text.includes(`| \`src/${folder}\``),
  );
  expect(missing).toEqual([]);
});
