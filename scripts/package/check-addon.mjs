import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';

/** ELF's numbers of machines (e_machine), by Node's names. */
const MACHINES = { x64: 62, arm64: 183 };

/**
 * Refuses an addon that Node on `arch` could not load: another machine's code, or a symbol that neither Node-API nor a
 * library it names provides. Symbols of libraries have a version.
 * @throws Error
 */
export function checkAddon(file, arch) {
  const header = Buffer.alloc(20);
  const fd = openSync(file, 'r');
  readSync(fd, header);
  closeSync(fd);
  const machine = header.readUInt16LE(18);
  if (machine !== MACHINES[arch]) {
    throw new Error(`${file} is code for ELF machine ${machine}, not for ${arch}`);
  }
  const symbols = execFileSync('nm', ['--dynamic', '--undefined-only', file], { encoding: 'utf8' });
  const needed = [...symbols.matchAll(/ U (\S+)$/gm)].map(([, name]) => name);
  const missing = needed.filter((name) => !name.includes('@') && !/^(napi|node_api)_/.test(name));
  if (missing.length > 0) throw new Error(`${file} lacks ${missing.join(', ')}`);
}
