import type { WantedPathState } from '../../core';
import type { PathControl, PathControlChange } from '../path-control';
import type { ContractTestApi } from './transport-contract';

/** One control under test over a network with at least the two paths named here. */
export interface PathControlHarness {
  control: PathControl;
  /** Both have a foreign endpoint, and are active. */
  paths: readonly [string, string];
  dispose(): Promise<void>;
}

/** The code of the refusal, 'none' on success. */
async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return (error as { code?: unknown }).code ?? String(error);
  }
}

/** Asserts the contract of src/ports/path-control.ts. */
export function pathControlContract(
  { describe, it, expect }: ContractTestApi,
  name: string,
  createHarness: () => Promise<PathControlHarness>,
): void {
  const stateOf = async (
    control: PathControl,
    path: string,
  ): Promise<WantedPathState | undefined> =>
    (await control.list()).find(({ pathId }) => pathId === path)?.state;
  const check = (title: string, body: (harness: PathControlHarness) => Promise<void>): void =>
    it(title, async () => {
      const harness = await createHarness();
      try {
        await body(harness);
      } finally {
        await harness.dispose();
      }
    });

  describe(`PathControl contract: ${name}`, () => {
    check('sets and clears backup, reported and listed', async ({ control, paths: [one, two] }) => {
      const changes: PathControlChange[] = [];
      control.onChange((change) => void changes.push(change));
      expect(control.capability().available).toBe(true);
      await control.setState(two, 'backup');
      expect(await stateOf(control, two)).toBe('backup');
      expect(await stateOf(control, one)).toBe('active');
      expect(changes.length).toBe(1);
      expect(changes[0]?.endpoints.find(({ pathId }) => pathId === two)?.changed).toBe(true);
      await control.setState(two, 'active');
      expect(await stateOf(control, two)).toBe('active');
      expect(changes.length).toBe(2);
    });

    check('changes nothing where nothing is to change', async ({ control, paths: [one] }) => {
      let changes = 0;
      control.onChange(() => (changes += 1));
      await control.setState(one, 'active');
      expect(changes).toBe(0);
    });

    check('keeps the order of what it was asked', async ({ control, paths: [one, two] }) => {
      const seen: string[] = [];
      control.onChange(({ endpoints }) =>
        seen.push(endpoints.map(({ state }) => state[0]).join('')),
      );
      await Promise.all([
        control.setState(one, 'backup'),
        control.setState(two, 'backup'),
        control.setState(one, 'active'),
      ]);
      expect(seen).toEqual(['ba', 'bb', 'ab']);
    });

    check('takes a path with its remote end', async ({ control, paths: [, two] }) => {
      await control.setState(`${two}>192.0.2.99`, 'backup');
      expect(await stateOf(control, two)).toBe('backup');
    });

    check('refuses a path that is not there', async ({ control }) => {
      expect(await codeOf(control.setState('nowhere0', 'backup'))).toBe('NO_SUCH_PATH');
    });

    check('a listener that throws or left disturbs nobody', async ({ control, paths: [one] }) => {
      let notified = 0;
      control.onChange(() => {
        throw new Error('listener');
      });
      const leave = control.onChange(() => (notified += 100));
      control.onChange(() => (notified += 1));
      leave();
      await control.setState(one, 'backup');
      expect(notified).toBe(1);
    });

    check('puts everything as found', async ({ control, paths: [one, two] }) => {
      const before = await control.list();
      await control.setState(one, 'backup');
      await control.setState(two, 'backup');
      await control.restore();
      expect(await control.list()).toEqual(before);
    });

    check('refuses after it was closed', async ({ control, paths: [one] }) => {
      await control.close();
      await control.close();
      expect(await codeOf(control.setState(one, 'backup'))).toBe('CLOSED');
      expect(await codeOf(control.list())).toBe('CLOSED');
      expect(await codeOf(control.restore())).toBe('CLOSED');
    });
  });
}
