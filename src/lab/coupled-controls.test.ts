import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coupledControlsLack, holdCoupledControls, loadCoupledControls } from './coupled-controls';

const LACK = 'mpd-coupled: this kernel has no BTF';
const ANSWER = `${LACK}; the simulator has the same controls: multipath-dash experiment cc`;

describe('a loader that finds something missing in the kernel', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mpd-loader-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  /** A program in the loader's place that ends with this status. */
  const loader = (status: number): string => {
    const file = join(folder, 'mpd-coupled');
    writeFileSync(file, `#!/bin/sh\necho '${LACK}' >&2\nexit ${status}\n`);
    chmodSync(file, 0o755);
    return file;
  };

  it('refuses in one line that names the simulator', async () => {
    const expected = { code: 'BPF_MISSING', message: ANSWER };
    await expect(loadCoupledControls(['mpd_lia'], loader(3))).rejects.toMatchObject(expected);
    await expect(holdCoupledControls(['mpd_lia'], loader(3))).rejects.toMatchObject(expected);
  });

  it('says so before anything is loaded', async () => {
    expect(await coupledControlsLack(loader(3))).toBe(ANSWER);
    expect(await coupledControlsLack(loader(0))).toBeUndefined();
  });

  it('does not blame the kernel for another failure', async () => {
    const expected = { code: 'COMMAND_FAILED', message: LACK };
    await expect(loadCoupledControls(['mpd_lia'], loader(4))).rejects.toMatchObject(expected);
    await expect(coupledControlsLack(loader(1))).rejects.toMatchObject(expected);
  });
});
