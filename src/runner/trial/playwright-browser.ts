import { appendFileSync } from 'node:fs';
import type * as Playwright from 'playwright-core';
import { isInsideSandbox, SANDBOX_DIR } from '../../lab';
import {
  findBrowser,
  playingFlags,
  type Browser,
  type BrowserExit,
  type BrowserOptions,
} from '../host/browser';

/** Time limits for the browser's start and for the page, on a busy machine. Chosen; no measurement. */
const LAUNCH_TIMEOUT_MS = 60_000;
const LOAD_TIMEOUT_MS = 30_000;

export interface PlaywrightOptions {
  /** Called with the page's errors and its end. */
  logFile: string;
  onPage: (page: Playwright.Page) => void;
  /** Called before the page loads: the trial's clock begins. */
  onLoad: () => void;
}

/** Loads Playwright with its temporary files in the sandbox: it reads TMPDIR when it is loaded. */
export async function loadPlaywright(): Promise<typeof Playwright> {
  if (isInsideSandbox()) process.env['TMPDIR'] = SANDBOX_DIR;
  return import('playwright-core');
}

/** Writes a page's messages and its crash, each line with seconds since now. */
export function logPage(page: Playwright.Page, logFile: string): (text: string) => void {
  const startMs = performance.now();
  const log = (text: string): void => {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(3);
    appendFileSync(logFile, `${seconds} ${text}\n`);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      log(`${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('pageerror', (error) => log(`uncaught: ${error.stack ?? error.message}`));
  page.on('crash', () => log('the page crashed'));
  return log;
}

/** Starts the machine's browser under Playwright, headless, on the player page. */
export async function launchWithPlaywright(
  options: BrowserOptions,
  { logFile, onPage, onLoad }: PlaywrightOptions,
): Promise<Browser> {
  const { chromium } = await loadPlaywright();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    headless: options.headless,
    // Chromium cannot use its own sandbox as root, not even as the root of a user namespace.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...playingFlags(options), '--mute-audio', '--disable-gpu'],
    env: { ...process.env, ...options.env },
    timeout: LAUNCH_TIMEOUT_MS,
    // The run ends its trials in order itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const close = (): Promise<void> => browser.close();
  try {
    const page = await browser.newPage();
    const log = logPage(page, logFile);
    log(`Chromium ${browser.version()}`);
    const exited = new Promise<BrowserExit>((resolve) => {
      const end = (how: string): void => resolve({ isOrderly: false, how });
      browser.once('disconnected', () => end('ended by itself'));
      page.once('crash', () => end('lost its page: it crashed'));
      page.once('close', () => end('closed its page'));
    });
    onPage(page);
    onLoad();
    await page.goto(options.url, { waitUntil: 'commit', timeout: LOAD_TIMEOUT_MS });
    return { exited, close };
  } catch (error) {
    await close();
    throw error;
  }
}
