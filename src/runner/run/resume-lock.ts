import { tryLockFolder } from '../../lab';
import { UserError } from '../host/user-error';

/**
 * Locks a folder for this process.
 * @returns the release
 * @throws UserError if another run works there
 */
export function lockFolder(folder: string): () => void {
  const release = tryLockFolder(folder);
  if (release !== undefined) return release;
  throw new UserError(
    `another run is at work in ${folder}: wait for its end, or choose another folder with --out`,
  );
}
