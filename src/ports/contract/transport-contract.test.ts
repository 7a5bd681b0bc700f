import { describe, expect, it } from 'vitest';
import { createFakeTransport } from '../testing';
import { transportContract } from '.';

const settled = (): Promise<void> => Promise.resolve();

transportContract({ describe, it, expect }, 'in-memory fake', (script) => {
  const transport = createFakeTransport();
  const phases = [...script];
  return {
    transport,
    next() {
      for (const message of phases.shift() ?? []) transport.emit(message);
      return settled();
    },
    settle: settled,
    watched: () => transport.watched,
    dispose: settled,
  };
});
