import path from 'node:path';
import { expect, test } from '@playwright/test';
import { launchApp, root, type LaunchedApp } from '../support/electron';

let app: LaunchedApp;

test.beforeAll(async () => {
  app = await launchApp();
  await expect(app.page.getByRole('heading', { name: 'Nothing is playing' })).toBeVisible();
});

test.afterAll(() => app.close());

test('the window is sandboxed and isolated', async () => {
  const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Not in the public types, but it shows the effective settings.
    const witness = contents as unknown as { getLastWebPreferences(): Record<string, unknown> };
    return witness.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test('shows no server a certificate of the user', async () => {
  const outcome = await app.electron.evaluate(({ app: main, BrowserWindow }) => {
    const answers: unknown[][] = [];
    let isPrevented = false;
    const event = { preventDefault: () => (isPrevented = true) };
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const take = (...answer: unknown[]): unknown => answers.push(answer);
    main.emit('select-client-certificate', event, contents, 'https://x.example/', [{}], take);
    return { isPrevented, answers };
  });
  expect(outcome).toEqual({ isPrevented: true, answers: [[]] });
});

test('the page sees the bridge and nothing of Node or Electron', async () => {
  const seen = await app.page.evaluate(() => {
    const scope = globalThis as unknown as Record<string, unknown>;
    return {
      node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter(
        (name) => name in scope,
      ),
      bridge: Object.keys(scope['multipathDash'] as object).sort(),
      feed: Object.keys((scope['multipathDash'] as { feed: object }).feed).sort(),
      frozen: Object.isFrozen(scope['multipathDash']),
    };
  });
  expect(seen).toEqual({
    node: [],
    bridge: [
      'beginStream',
      'checkStream',
      'feed',
      'getLaunchInfo',
      'onClosing',
      'onNotice',
      'onOpenRequested',
      'openFileDialog',
      'saveNetwork',
      'sessionClosed',
    ],
    feed: ['close', 'onMessage', 'send'],
    frozen: true,
  });
});

test('navigation away is refused', async () => {
  const before = app.page.url();
  expect(before).toBe('mpdash://app/index.html');
  for (const target of ['http://127.0.0.1:9/', 'data:text/html,hi', 'file:///etc/passwd']) {
    await app.page.evaluate((url) => {
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
      link.remove();
    }, target);
  }
  await app.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  // Without locators, which would wait for the navigation that never happens.
  const contents = await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
  );
  expect(contents).toEqual([before]);
  expect(await app.page.evaluate(() => document.querySelector('h1')?.textContent)).toBe(
    'Nothing is playing',
  );
});

test('no second window can be opened', async () => {
  expect(await app.page.evaluate(() => window.open('http://127.0.0.1:9/') === null)).toBe(true);
  const windows = await app.electron.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows().length,
  );
  expect(windows).toBe(1);
});

test('the content security policy blocks foreign code and frames', async () => {
  const result = await app.page.evaluate(async () => {
    const scope = globalThis as unknown as Record<string, unknown>;
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      violations.push(event.effectiveDirective),
    );
    const attempts: (() => void)[] = [
      () => {
        const inline = document.createElement('script');
        document.head.append(inline);
        inline.text = 'globalThis.codeRan = true';
      },
      () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="codeRan = true">'),
      () => document.body.setAttribute('onclick', 'globalThis.codeRan = true'),
      () => {
        const foreign = document.createElement('script');
        foreign.src = 'http://127.0.0.1:9/x.js';
        document.head.append(foreign);
      },
      () => {
        const frame = document.createElement('iframe');
        frame.src = 'http://127.0.0.1:9/';
        document.body.append(frame);
      },
    ];
    let thrown = 0;
    for (const attempt of attempts) {
      try {
        attempt();
      } catch {
        thrown += 1;
      }
    }
    document.body.click();
    // The last attempt's report comes last; nothing runs after it.
    for (let waits = 0; waits < 100 && !violations.includes('frame-src'); waits += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    document.querySelector('iframe')?.remove();
    return { ran: 'codeRan' in scope, thrown, violations };
  });
  expect(result.ran).toBe(false);
  expect(result.thrown).toBe(4);
  expect(result.violations).toContain('require-trusted-types-for');
  expect(result.violations).toContain('frame-src');
});

test('permissions are denied', async () => {
  const answers = await app.page.evaluate(async () => ({
    media: await navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'granted',
      (error: unknown) => (error as Error).name,
    ),
    notifications: await Notification.requestPermission(),
    geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
  }));
  expect(answers.media).not.toBe('granted');
  expect(answers.notifications).toBe('denied');
  expect(answers.geolocation).toBe('denied');
});

test('the window cannot load arbitrary files', async () => {
  const answers = await app.page.evaluate(async () => {
    const begin = async (url: string): Promise<boolean> => {
      const bridge = (globalThis as unknown as { multipathDash: BridgeUnderTest }).multipathDash;
      return (await bridge.beginStream(url, false)).ok;
    };
    const load = (url: string): Promise<number> =>
      fetch(url).then(
        (response) => response.status,
        () => 0,
      );
    interface BridgeUnderTest {
      beginStream(url: string, steers: boolean): Promise<{ ok: boolean }>;
    }
    return {
      file: await begin('file:///etc/passwd'),
      unknown: await begin('mpdash://media/00000000000000000000000000000000/etc/passwd'),
      fetchFile: await load('file:///etc/passwd'),
      fetchUnknown: await load('mpdash://media/00000000000000000000000000000000/passwd'),
      fetchAppEscape: await load('mpdash://app/..%2fmain.cjs'),
    };
  });
  expect(answers).toMatchObject({ file: false, unknown: false, fetchFile: 0 });
  expect([0, 404]).toContain(answers.fetchUnknown);
  expect([0, 404]).toContain(answers.fetchAppEscape);
});

test('a message beyond the schema is refused before it leaves the page', async () => {
  const refusal = await app.page.evaluate(() => {
    const bridge = (
      globalThis as unknown as { multipathDash: { feed: { send(message: unknown): void } } }
    ).multipathDash;
    try {
      bridge.feed.send({ type: 'watch', origins: ['file:///etc'] });
      return 'sent';
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(refusal).toMatch(/origins/);
});

test('another page gets no answer, even with the same preload script', async () => {
  const answer = await app.electron.evaluate(
    async ({ BrowserWindow }, preload) => {
      const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await window.loadURL('data:text/html,<title>foreign</title>');
      const result: unknown = await window.webContents.executeJavaScript(
        `multipathDash.getLaunchInfo().then(() => 'answered', (error) => error.message)`,
      );
      window.destroy();
      return result;
    },
    path.join(root, 'dist/app/preload.cjs'),
  );
  expect(answer).toMatch(/getLaunchInfo: refused/);
});
