import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTrace } from './link-emulator-trace';

const JSON_TRACE =
  '[{"duration_ms": 5000, "bandwidth_kbps": 1363.5}, {"duration_ms": 250, "bandwidth_kbps": 0}]';

describe('readTrace', () => {
  it('reads a file; names one that is not there or that is wrong', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'mpd-trace-'));
    await writeFile(join(dir, 't.json'), JSON_TRACE);
    await writeFile(join(dir, 'bad.txt'), '0 1000\n500 -3\n');
    expect(await readTrace(join(dir, 't.json'))).toHaveLength(2);
    await expect(readTrace(join(dir, 'none.json'))).rejects.toThrow(
      /none\.json, line 1, file: .*ENOENT/,
    );
    await expect(readTrace(join(dir, 'bad.txt'))).rejects.toMatchObject({
      code: 'BAD_TRACE',
      message: expect.stringMatching(/bad\.txt, line 2, kbps: -3/) as string,
    });
    await rm(dir, { recursive: true });
  });
});
