import { existsSync } from 'node:fs';
import path from 'node:path';
import { defaultRunDir } from '../host/run-dir';
import { UserError } from '../host/user-error';

/** Parent folder of the runs. @throws UserError if there is nothing to resume */
export function baseFolder(options: { resume?: string; out?: string }): string {
  if (options.resume !== undefined && options.out !== undefined) {
    throw new UserError('--resume names the folder already: leave --out out', 2);
  }
  if (options.resume !== undefined && !existsSync(options.resume)) {
    throw new UserError(`--resume ${options.resume}: there is no such folder`, 2);
  }
  return path.resolve(options.resume ?? options.out ?? defaultRunDir(new Date()));
}
