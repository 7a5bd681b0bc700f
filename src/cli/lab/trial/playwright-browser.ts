import { appendFileSync } from 'node:fs';
import type * as Playwright from 'playwright-core';
import { isInsideSandbox, SANDBOX_DIR } from '../../../lab';
import { findBrowser, playingFlags, type Browser, type BrowserOptions } from '../../browser';

const launchTimeoutMs = 60_000;
const loadTimeoutMs = 30_000;

export interface PlaywrightOptions {
  /** Gets what the page complains about, and how it ended. */
  logFile: string;
  /** Called when the page is about to be loaded: the trial's clock begins. */
  onLoad: () => void;
}

/** Playwright, with its scratch files where they go with the sandbox: it looks at TMPDIR when it is loaded. */
export async function loadPlaywright(): Promise<typeof Playwright> {
  if (isInsideSandbox()) process.env['TMPDIR'] = SANDBOX_DIR;
  return import('playwright-core');
}

/** Writes what a page says and how it dies, each line with seconds since now. */
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
  { logFile, onLoad }: PlaywrightOptions,
): Promise<Browser> {
  const { chromium } = await loadPlaywright();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    headless: options.headless,
    // Chromium refuses its own sandbox to root, also to the root of a user namespace.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...playingFlags(options), '--mute-audio', '--disable-gpu'],
    env: { ...process.env, ...options.env },
    timeout: launchTimeoutMs,
    // The run ends its trials in order by itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const close = (): Promise<void> => browser.close();
  try {
    const page = await browser.newPage();
    const log = logPage(page, logFile);
    log(`Chromium ${browser.version()}`);
    const exited = new Promise<string>((resolve) => {
      browser.once('disconnected', () => resolve('ended by itself'));
      page.once('crash', () => resolve('lost its page: it crashed'));
      page.once('close', () => resolve('closed its page'));
    });
    onLoad();
    await page.goto(options.url, { waitUntil: 'commit', timeout: loadTimeoutMs });
    return { exited, close };
  } catch (error) {
    await close();
    throw error;
  }
}
