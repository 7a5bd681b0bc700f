import { expect, it } from 'vitest';
import { createShutdown, type Shutdown } from './shutdown';

function recorded(answer: 'answers' | 'hangs' | 'gone', close: () => Promise<void>) {
  const steps: string[] = [];
  let shutdown: Shutdown | undefined;
  const exited = new Promise<number>((resolve) => {
    shutdown = createShutdown(
      {
        askWindow: (reason) => {
          steps.push(`ask ${reason}`);
          if (answer === 'answers') queueMicrotask(() => shutdown?.windowClosed());
          return answer !== 'gone';
        },
        close: (reason) => {
          steps.push(`close ${reason}`);
          return close();
        },
        report: (code) => {
          steps.push(`report ${code}`);
          return code;
        },
        exit: resolve,
      },
      20,
      50,
    );
    shutdown.begin('time-up', 0);
    shutdown.begin('interrupted', 130);
  });
  return { steps, exited };
}

it.each(['answers', 'hangs', 'gone'] as const)(
  'ends once, in order, when the window %s',
  async (answer) => {
    const { steps, exited } = recorded(answer, () => Promise.resolve());
    expect(await exited).toBe(0);
    expect(steps).toEqual(['ask time-up', 'close time-up', 'report 0']);
  },
);

it('ends, with its report, also where the end waits for something that never comes', async () => {
  const { steps, exited } = recorded('answers', () => new Promise(() => {}));
  expect(await exited).toBe(0);
  expect(steps.at(-1)).toBe('report 0');
});
