import type { PathControl } from '../../ports';
import type { SharedPathControl } from '../../path-control';

/** Combines two controls: the kernel's while MPTCP carries the stream, the fetcher's otherwise. */
export function switchPathControl(
  ours: SharedPathControl,
  kernels: SharedPathControl | undefined,
  usesKernel: () => boolean,
): SharedPathControl {
  if (!kernels) return ours;
  const now = (): SharedPathControl => (usesKernel() ? kernels : ours);
  const control: PathControl = {
    capability: () => now().control.capability(),
    list: () => now().control.list(),
    setState: (pathId, state) => now().control.setState(pathId, state),
    onChange(listener) {
      const stops = [ours, kernels].map((shared) =>
        shared.control.onChange((change) => {
          if (shared === now()) listener(change);
        }),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
    async restore() {
      await ours.control.restore();
      if (kernels.control.capability().available) await kernels.control.restore();
    },
    async close() {
      await Promise.all([ours.close(), kernels.close()]);
    },
  };
  return {
    control,
    claim: (owner) => ours.claim(owner) && kernels.claim(owner),
    async release(owner) {
      await Promise.all([ours.release(owner), kernels.release(owner)]);
    },
    observe(owner, batch) {
      now().observe(owner, batch);
      // The other one carries nothing, and frees what it holds for the stream.
      (now() === ours ? kernels : ours).observe(owner, { ...batch, connections: [] });
    },
    close: () => control.close(),
  };
}
