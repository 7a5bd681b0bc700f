import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SharedPathControl } from '../../path-control';
import type { LogEvent } from '../../session-log';
import type { Agent, AgentOptions } from '../../transport';
import type { Browser, BrowserExit } from '../host/browser';
import { runSession } from './session';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'mpd-session-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

type StartAgent = (options: AgentOptions) => Promise<Agent>;

let closedControls = 0;
const session = (startAgent: StartAgent, launch: () => Browser, headless = false) =>
  runSession(
    {
      url: 'http://127.0.0.1/film.mpd',
      abr: 'multipath',
      correction: true,
      headless,
      outDir: path.join(dir, 'out'),
      env: {},
      settings: {},
      signal: new AbortController().signal,
      liveView: false,
      launch,
    },
    {
      startAgent,
      openSessionControl: () =>
        Promise.resolve({
          close: () => {
            closedControls += 1;
            return Promise.resolve();
          },
        } as unknown as SharedPathControl),
    },
  );

const browser = (exit: BrowserExit): Browser => ({
  exited: Promise.resolve(exit),
  close: () => Promise.resolve(),
});

describe('a session whose browser ends', () => {
  const play = (exit: BrowserExit, hasPage: boolean, headless = false) => {
    let pageComes = (): void => undefined;
    const startAgent: StartAgent = ({ onEvent }) => {
      const event: LogEvent = {
        type: 'error',
        monotonicMs: 0,
        code: 'NOTE',
        message: 'a note',
        fatal: false,
      };
      pageComes = () => onEvent?.(event, 1);
      return Promise.resolve({
        origin: 'http://127.0.0.1:1',
        startUrl: 'http://127.0.0.1:1/start',
        pageUrl: () => 'http://127.0.0.1:1/',
        close: () => Promise.resolve(),
      } as unknown as Agent);
    };
    const launch = (): Browser => {
      if (hasPage) pageComes();
      return browser(exit);
    };
    return session(startAgent, launch, headless);
  };
  const closed = { isOrderly: true, how: 'ended with code 0' };
  const crashed = { isOrderly: false, how: 'ended with SIGKILL' };

  it('is closed by the viewer only if the browser ended in order after its page came', async () => {
    expect(await play(closed, true)).toMatchObject({ played: true, failure: undefined });
  });

  it.each([
    ['with an error', crashed, true, false],
    ['before its page came', closed, false, false],
    ['without a window', closed, true, true],
  ])('has failed if it ended %s', async (_what, exit, hasPage, headless) => {
    const { failure } = await play(exit, hasPage, headless);
    expect(failure).toBe(`the browser ${exit.how}`);
  });
});

it('closes the control of the paths if the agent cannot start', async () => {
  const startAgent: StartAgent = () => Promise.reject(new Error('no port'));
  const launch = (): Browser => browser({ isOrderly: true, how: 'never started' });
  closedControls = 0;
  await expect(session(startAgent, launch)).rejects.toThrow('no port');
  expect(closedControls).toBe(1);
});
