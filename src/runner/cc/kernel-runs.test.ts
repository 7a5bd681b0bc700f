import { describe, expect, it } from 'vitest';
import { KERNEL_CONTROLS } from '../../experiments';
import { COUPLED_CONTROLS, LabError, PAIRED_CONTROLS } from '../../lab';
import { noControls } from './kernel-runs';

describe('the controls that the experiment names', () => {
  it('are those that the loader has, and their names fit into the kernel', () => {
    const loadable = [...COUPLED_CONTROLS, ...PAIRED_CONTROLS];
    expect(KERNEL_CONTROLS.filter((name) => !loadable.includes(name))).toEqual([]);
    expect(PAIRED_CONTROLS.filter((name) => !KERNEL_CONTROLS.includes(name))).toEqual([]);
    expect(Math.max(...KERNEL_CONTROLS.map(({ length }) => length))).toBeLessThan(16);
  });
});

describe('a machine that cannot load them', () => {
  it('is told the cause and the way without the kernel, in one line', () => {
    const missing = new LabError('TOOL_MISSING', 'the loader is not built', 'build it: make');
    expect(noControls(missing).message).toBe(
      '--backend kernel needs congestion controls that this machine cannot load (BPF struct_ops): the loader is not built; build it: make; run it without --backend kernel: simulated',
    );
  });
});
