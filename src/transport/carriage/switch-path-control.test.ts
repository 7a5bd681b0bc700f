import { expect, it, vi } from 'vitest';
import type { SampleBatch } from '../../core';
import type { SharedPathControl } from '../../path-control';
import { switchPathControl } from './switch-path-control';

const batch = { monotonicMs: 1, lostSamples: 0, connections: [{}] } as unknown as SampleBatch;
const none = { ...batch, connections: [] };

function control() {
  const observe = vi.fn<SharedPathControl['observe']>();
  return { observe, shared: { observe } as unknown as SharedPathControl };
}

it('shows the stream to the control that carries it, and no connection to the other one', () => {
  const [ours, kernels, owner] = [control(), control(), {}];
  let usesKernel = true;
  const both = switchPathControl(ours.shared, kernels.shared, () => usesKernel);
  both.observe(owner, batch);
  usesKernel = false;
  both.observe(owner, batch);
  expect(kernels.observe.mock.calls).toEqual([
    [owner, batch],
    [owner, none],
  ]);
  expect(ours.observe.mock.calls).toEqual([
    [owner, none],
    [owner, batch],
  ]);
});
