import { describe, expect, it } from 'vitest';
import { KERNEL_CONTROLS } from '../../experiments';
import { COUPLED_CONTROLS, PAIRED_CONTROLS } from '../../lab';

describe('the controls that the experiment names', () => {
  it('are those that the loader has, and their names fit into the kernel', () => {
    const loadable = [...COUPLED_CONTROLS, ...PAIRED_CONTROLS];
    expect(KERNEL_CONTROLS.filter((name) => !loadable.includes(name))).toEqual([]);
    expect(PAIRED_CONTROLS.filter((name) => !KERNEL_CONTROLS.includes(name))).toEqual([]);
    expect(Math.max(...KERNEL_CONTROLS.map(({ length }) => length))).toBeLessThan(16);
  });
});
