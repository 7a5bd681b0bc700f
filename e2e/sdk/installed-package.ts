import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../support/electron';

export interface InstalledPackage {
  /** A Vite project that has nothing but the packed SDK and its players. */
  folder: string;
  /** Names of the files in the tarball. */
  packed: readonly string[];
  tarballBytes: number;
  /** Runs a program of the project's own tools there; throws with its output when it fails. */
  run: (tool: string, ...args: string[]) => string;
  remove: () => void;
}

export interface PackReport {
  filename: string;
  size: number;
  files: { path: string; size: number }[];
}

/** Newer releases of npm report an object by package name, older ones a list. */
export function firstReport(text: string): PackReport {
  const parsed = JSON.parse(text) as PackReport[] | Record<string, PackReport>;
  const report = Object.values(parsed)[0];
  if (!report) throw new Error('npm pack reported nothing');
  return report;
}

/** `npm pack` of a package, its `prepack` included. */
export function pack(folder: string, into: string): PackReport & { file: string } {
  // The output of prepack precedes the report.
  const text = execFileSync('npm', ['pack', '--json', '--pack-destination', into], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const report = firstReport(text.slice(text.search(/^[[{]/m)));
  return { ...report, file: path.join(into, report.filename.replace(/^@/, '').replace('/', '-')) };
}

/**
 * Packs the SDK and installs it in an empty folder, without a network and with a PATH that has no compiler. The
 * players it is used with are the checkout's.
 */
export function installPackedSdk(): InstalledPackage {
  const folder = mkdtempSync(path.join(tmpdir(), 'multipath-dash-sdk-'));
  const report = pack(path.join(root, 'packages/sdk'), folder);
  cpSync(path.join(root, 'e2e/sdk/consumer'), folder, { recursive: true });
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['node', 'sh']) {
    const target = name === 'node' ? process.execPath : '/bin/sh';
    symlinkSync(target, path.join(bin, name));
  }
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  execFileSync(
    process.execPath,
    [npm, 'install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', report.file],
    { cwd: folder, env: { HOME: folder, PATH: bin }, stdio: 'pipe' },
  );
  for (const name of ['dashjs', 'hls.js', 'shaka-player']) {
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  return {
    folder,
    packed: report.files.map((file) => file.path),
    tarballBytes: report.size,
    run(tool, ...args) {
      try {
        return execFileSync(process.execPath, [path.join(root, 'node_modules', tool), ...args], {
          cwd: folder,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      } catch (error) {
        const { stdout, stderr } = error as { stdout?: string; stderr?: string };
        throw new Error(`${tool} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? ''}`, {
          cause: error,
        });
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Blocks of TypeScript in a text: fenced ones, in Markdown and in doc comments alike. */
export function codeBlocks(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^\s*\* ?/gm, '');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
}
