import { expect, it } from 'vitest';
import { LabError } from '../../lab';
import { holdControls } from './hold-controls';

it('tells a machine that cannot load them the cause and the way without the kernel, in one line', async () => {
  const missing = new LabError('TOOL_MISSING', 'the loader is not built', 'build it: make');
  await expect(holdControls(['mpd_lia'], () => Promise.reject(missing))).rejects.toThrow(
    '--backend kernel needs congestion controls that this machine cannot load (BPF struct_ops): the loader is not built; build it: make; run it without --backend kernel: simulated',
  );
});
