import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAsk, isForeground } from './ask';

const ORIGIN = 'https://p.example';

function terminal(mayAsk = true, isTTY = true) {
  const setRawMode = vi.fn();
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode });
  const output = Object.assign(new PassThrough(), { isTTY });
  const controller = new AbortController();
  const ask = createAsk({
    input: input as never,
    output: output as never,
    signal: controller.signal,
    mayAsk: () => mayAsk,
  });
  const shown = (): string => String(output.read() ?? '');
  return { ask, input, controller, shown, setRawMode };
}

afterEach(() => void vi.restoreAllMocks());

describe('a question on the terminal', () => {
  it.each([
    ['y\n', 'granted'],
    ['Yes\n', 'granted'],
    ['\n', 'denied'],
    ['no\n', 'denied'],
  ])('takes %j as %s', async (reply, answer) => {
    const { ask, input, shown } = terminal();
    const asked = ask(ORIGIN);
    await expect.poll(shown).toContain(`${ORIGIN} asks`);
    input.write(reply);
    expect(await asked).toBe(answer);
  });

  it('ends without an answer when the agent ends', async () => {
    const { ask, controller, shown, setRawMode } = terminal();
    const asked = ask(ORIGIN);
    await expect.poll(shown).toContain('[y/N]');
    // In raw mode Ctrl-C would be a character for the question, not a signal for the agent.
    expect(setRawMode).not.toHaveBeenCalled();
    controller.abort();
    expect(await asked).toBe('unanswered');
  });

  it.each([
    ['in the background', terminal(false)],
    ['without a terminal', terminal(true, false)],
  ])('is not put %s; the command that consents is named once', async (_, { ask, shown }) => {
    const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    expect([await ask(ORIGIN), await ask(ORIGIN)]).toEqual(['unanswered', 'unanswered']);
    expect(shown()).toBe('');
    expect(written).toHaveBeenCalledTimes(1);
    expect(written.mock.calls[0]?.[0]).toContain(`agent --grant ${ORIGIN}`);
  });
});

it('knows the foreground job of a terminal from /proc/self/stat', () => {
  const stat = (name: string, group: number, foreground: number): string =>
    `4242 (${name}) S 4000 ${group} 4000 34816 ${foreground} 4194304 100 0`;
  expect(isForeground(stat('node', 4242, 4242))).toBe(true);
  expect(isForeground(stat('node', 4242, 4000))).toBe(false);
  expect(isForeground(stat('a) S 1 7 1 1 7 (b', 4242, 4000))).toBe(false);
  // No terminal controls this process.
  expect(isForeground(stat('node', 4242, -1))).toBe(false);
  expect(isForeground('')).toBe(false);
});
