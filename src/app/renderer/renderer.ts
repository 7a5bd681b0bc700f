/** The window: toolbar, video, panel. What it may do outside its sandbox is `window.multipathDash`. */
import './style.css';
import { APP_BRIDGE, type AppBridge, type LaunchInfo, type StreamSource } from '../../ipc';
import { abrChoices, type AbrChoice } from '../../sdk';
import { findElements } from './elements';
import { createMessages } from './messages';
import { Stage } from './stage';

declare global {
  interface Window {
    readonly [APP_BRIDGE]: AppBridge;
  }
}

const bridge = window[APP_BRIDGE];
const elements = findElements();
const messages = createMessages(elements);
let stage: Stage | undefined;

function createStage({ decision }: LaunchInfo): Stage {
  return new Stage({
    bridge,
    decision,
    video: elements.video,
    panel: elements.panel,
    onProblem: (text) => messages.notice(text),
    // What does not end playback is told in the panel.
    onEvent(event) {
      if (event.type === 'error' && event.fatal) messages.failure(event.message);
    },
  });
}

let current: StreamSource | undefined;
/** Streams opened so far: an answer to an earlier question is out of date. */
let opened = 0;

function chosenRule(): AbrChoice {
  return abrChoices.find((name) => name === elements.abr.value) ?? 'multipath';
}

async function open(source: StreamSource): Promise<void> {
  // Nothing can be chosen before the launch is known.
  if (!stage) return;
  const turn = ++opened;
  messages.clear();
  await stage.end();
  const abr = chosenRule();
  const begun = await bridge.beginStream(source.url, stage.steers(abr));
  if (turn !== opened) return;
  if (!begun.ok) {
    messages.failure(begun.error);
    return;
  }
  current = { url: begun.url, label: source.label };
  elements.url.value = source.label;
  elements.empty.hidden = true;
  document.body.classList.add('playing');
  document.title = `${source.label} – multipath-dash`;
  elements.log.textContent = begun.logFile === undefined ? '' : `Log: ${begun.logFile}`;
  elements.log.title = begun.logFile ?? '';
  await stage.play({ url: begun.url, label: source.label, abr });
  if (begun.logError !== undefined) {
    messages.notice(`This session is not logged: ${begun.logError}`);
  }
}

/** Nothing may end as a silent rejection. */
function attempt(work: Promise<void>): void {
  work.catch((error: unknown) => {
    messages.failure(error instanceof Error ? error.message : String(error));
  });
}

async function openFile(): Promise<void> {
  const chosen = await bridge.openFileDialog();
  if (chosen.outcome === 'opened') await open(chosen.source);
  else if (chosen.outcome === 'failed') messages.failure(chosen.error);
}

function openTyped(): void {
  const text = elements.url.value.trim();
  // The field shows a file by its path, which is not a URL to load again.
  if (current?.label === text) attempt(open(current));
  else if (text === '') messages.notice('Enter the address of a DASH manifest (.mpd) first.');
  else attempt(open({ url: text, label: text }));
}

function showLaunch(info: LaunchInfo): void {
  const { app, electron, chrome } = info.versions;
  elements.versions.textContent = `multipath-dash ${app} · Electron ${electron} · Chromium ${chrome}`;
  const ready = info.mptcp.state === 'preloaded';
  elements.launch.textContent = ready
    ? 'Ready to play over every network path of this computer.'
    : `One path only. ${info.mptcp.reason}`;
  elements.launch.classList.toggle('trouble', !ready);
  const rule = abrChoices.find((name) => name === info.abr);
  if (rule !== undefined) elements.abr.value = rule;
  else if (info.abr !== undefined) {
    messages.notice(`--abr ${info.abr}: unknown rule; known are ${abrChoices.join(', ')}`);
  }
}

async function start(): Promise<void> {
  for (const name of abrChoices) elements.abr.add(new Option(name));
  const info = await bridge.getLaunchInfo();
  showLaunch(info);
  stage = createStage(info);
  if (info.initialError !== undefined) messages.failure(info.initialError);
  else if (info.initialSource !== undefined) await open(info.initialSource);
  else elements.url.focus();
  if (info.initialNotice !== undefined) messages.notice(info.initialNotice);
}

elements.form.addEventListener('submit', (event) => {
  event.preventDefault();
  openTyped();
});
elements.openFile.addEventListener('click', () => attempt(openFile()));
elements.abr.addEventListener('change', () => {
  if (current !== undefined) attempt(open(current));
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey && event.key.toLowerCase() === 'l') {
    event.preventDefault();
    elements.url.select();
  }
});

bridge.onOpenRequested((source) => attempt(open(source)));
bridge.onNotice((text) => messages.notice(text));
bridge.onClosing((reason) => {
  attempt(Promise.resolve(stage?.end(reason)).then(() => bridge.sessionClosed()));
});
attempt(start());
