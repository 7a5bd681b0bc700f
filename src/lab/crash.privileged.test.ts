import { describe, expect, it } from 'vitest';
import { crashCycle, isClean } from './testing/crash-cycles';
import { reasonToSkip } from './testing/sandboxed';

const reason = await reasonToSkip();
const title = reason === undefined ? 'crashes' : `crashes (skipped: ${reason})`;

// scripts/lab-crash.mjs runs more of them.
describe.skipIf(reason !== undefined)(title, () => {
  it('leaves nothing when the outer process is killed while the network is built', async () => {
    const report = await crashCycle('outer-in-build', 150);
    expect(report).toSatisfy(isClean);
  });

  it('closes in order and reports the reason when the emulator is killed', async () => {
    const report = await crashCycle('emulator', 0);
    expect(report).toSatisfy(isClean);
    expect(report.said.join('\n')).toMatch(/ready\nfailed clean: .*SIGKILL/s);
  });

  it('abandons a network whose emulator is killed during the build', async () => {
    const report = await crashCycle('emulator-in-build', 0);
    expect(report).toSatisfy(isClean);
    expect(report.said.join('\n')).toMatch(/failed clean: .*emulator/);
  });
});
