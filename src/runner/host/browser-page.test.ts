import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBrowserPage } from './browser-page';

interface Command {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

/** The browser's end of the pipes, controlled by the test. */
let commands: Command[];
let toBrowser: PassThrough;
let fromBrowser: PassThrough;

beforeEach(() => {
  commands = [];
  toBrowser = new PassThrough();
  fromBrowser = new PassThrough();
  toBrowser.setEncoding('utf8').on('data', (text: string) => {
    const whole = text.split('\0').slice(0, -1);
    commands.push(...whole.map((one) => JSON.parse(one) as Command));
  });
});

const say = (message: object): void => void fromBrowser.write(`${JSON.stringify(message)}\0`);

/** Answers the next command of that name. */
async function answer(method: string, reply: object = { result: {} }): Promise<Command> {
  await expect.poll(() => commands.at(-1)?.method).toBe(method);
  const command = commands.at(-1);
  if (!command) throw new Error('no command');
  say({ id: command.id, ...reply });
  return command;
}

const page = { targetId: 'T1', type: 'page' };

async function untilAttached(): Promise<void> {
  await answer('Target.setDiscoverTargets');
  say({
    method: 'Target.targetCreated',
    params: { targetInfo: { targetId: 'W', type: 'worker' } },
  });
  say({ method: 'Target.targetCreated', params: { targetInfo: page } });
  await answer('Target.attachToTarget', { result: { sessionId: 'S1' } });
}

async function untilNavigated(reply: object): Promise<Command> {
  await untilAttached();
  return answer('Page.navigate', reply);
}

describe('openBrowserPage', () => {
  it('opens the page in the first window, detaches from it, and detects its crash', async () => {
    const { opened, crashed } = openBrowserPage(toBrowser, fromBrowser, 'http://x/#secret');
    const { params } = await untilNavigated({ result: {} });
    expect(params).toEqual({ url: 'http://x/#secret' });
    await answer('Target.detachFromTarget');
    await opened;
    say({ method: 'Target.targetCrashed', params: { targetId: 'W', status: 'crashed' } });
    say({ method: 'Target.targetCrashed', params: { targetId: 'T1', status: 'killed' } });
    expect(await crashed).toBe('lost its page: its process was lost (killed)');
  });

  it('forwards the reason why the page cannot be opened', async () => {
    const { opened } = openBrowserPage(toBrowser, fromBrowser, 'http://x/');
    const refused = expect(opened).rejects.toThrow('net::ERR_CONNECTION_REFUSED');
    await untilNavigated({ result: { errorText: 'net::ERR_CONNECTION_REFUSED' } });
    await refused;
  });

  it('survives malformed messages, and fails when the pipe closes', async () => {
    const { opened } = openBrowserPage(toBrowser, fromBrowser, 'http://x/');
    fromBrowser.write('not JSON\0{"id":99}\0{}\0');
    const refused = expect(opened).rejects.toThrow('closed its debugging pipe');
    await answer('Target.setDiscoverTargets');
    fromBrowser.destroy();
    await refused;
  });

  it('asks about each request of the page, and stays attached for that', async () => {
    const { opened } = openBrowserPage(toBrowser, fromBrowser, 'http://x/', (url) =>
      url.hostname === 'broken.example'
        ? Promise.reject(new Error('no'))
        : Promise.resolve(url.hostname === 'cdn.example'),
    );
    await untilAttached();
    await answer('Fetch.enable');
    await answer('Page.navigate');
    await opened;
    const paused = (requestId: string, url: string): void =>
      say({
        method: 'Fetch.requestPaused',
        sessionId: 'S1',
        params: { requestId, request: { url } },
      });
    paused('1', 'https://cdn.example/1.m4s');
    expect((await answer('Fetch.continueRequest')).params).toEqual({ requestId: '1' });
    for (const url of ['http://127.0.0.1:9222/', 'https://broken.example/', 'no address']) {
      paused(url, url);
      const { params } = await answer('Fetch.failRequest');
      expect(params).toEqual({ requestId: url, errorReason: 'BlockedByClient' });
      commands.length = 0;
    }
  });
});
