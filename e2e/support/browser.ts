import { findBrowser } from '../../src/runner/host';

/** Switches of every browser under test: no display, no sound, no QUIC, which would bypass TCP. */
export const BROWSER_SWITCHES = [
  '--disable-gpu',
  '--disable-quic',
  '--mute-audio',
  '--autoplay-policy=no-user-gesture-required',
];

/** Options for a browser without a sandbox of its own. */
export const launchOptions = (): { executablePath: string; args: string[] } => ({
  executablePath: findBrowser(),
  args: ['--no-sandbox', ...BROWSER_SWITCHES],
});
