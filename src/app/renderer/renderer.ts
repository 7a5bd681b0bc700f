/** The window: toolbar, video, panel. Its only access outside the sandbox is `window.multipathDash`. */
import './style.css';
import { createViewingHistory, droppedAddress, mountControls, titleOf } from '../../controls';
import { errorText } from '../../core';
import { APP_BRIDGE, type AppBridge, type LaunchInfo, type StreamSource } from '../../ipc';
import { abrChoices, type AbrChoice } from '../../sdk';
import { findElements } from './elements';
import { showFirstPage, showRecent } from './first-page';
import { createMessages } from './messages';
import { ruleLabel } from './rule-names';
import { Stage } from './stage';

declare global {
  interface Window {
    readonly [APP_BRIDGE]: AppBridge;
  }
}

const bridge = window[APP_BRIDGE];
const elements = findElements();
const messages = createMessages(elements);
const history = createViewingHistory();
const controls = mountControls(elements.video, elements.subtitles, history);
let stage: Stage | undefined;

function createStage({ decision, media }: LaunchInfo): Stage {
  return new Stage({
    bridge,
    decision,
    media,
    video: elements.video,
    subtitles: elements.subtitles,
    controls,
    history,
    panel: elements.panel,
    onProblem: (text) => messages.notice(text),
    // The panel shows errors that do not end playback.
    onEvent(event) {
      if (event.type !== 'error' || !event.fatal) return;
      plays = false;
      messages.failure(event.message);
    },
  });
}

let current: StreamSource | undefined;
/** True while a stream plays: a bad address must not end it. */
let plays = false;
/** The address that could not be checked; the viewer may insist. */
let refused: string | undefined;
/** Number of opened streams: an answer to an earlier request is outdated. */
let opened = 0;

function chosenRule(): AbrChoice {
  return abrChoices.find((name) => name === elements.abr.value) ?? 'multipath';
}

async function open(source: StreamSource): Promise<void> {
  // Nothing can be chosen before the launch is known.
  if (!stage) return;
  const turn = ++opened;
  messages.clear();
  // The system's route may not reach a server that another network does.
  if (plays && source.url !== current?.url && source.url !== refused) {
    const checked = await bridge.checkStream(source.url);
    if (turn !== opened) return;
    if (!checked.ok) {
      refused = source.url;
      messages.notice(
        `${checked.error}. The stream before plays on; open this address once more to leave it.`,
      );
      return;
    }
  }
  refused = undefined;
  plays = false;
  await stage.end();
  if (turn !== opened) return;
  const abr = chosenRule();
  const begun = await bridge.beginStream(source.url, stage.steers(abr));
  if (turn !== opened) return;
  if (!begun.ok) {
    messages.failure(begun.error);
    return;
  }
  current = { url: begun.url, label: source.label };
  plays = true;
  elements.url.value = source.label;
  elements.empty.hidden = true;
  document.body.classList.add('playing');
  elements.title.textContent = titleOf(source.label);
  elements.title.hidden = false;
  document.title = `${titleOf(source.label)} – multipath-dash`;
  elements.log.textContent = begun.logFile === undefined ? '' : `Log: ${begun.logFile}`;
  elements.log.title = begun.logFile ?? '';
  try {
    await stage.play({ url: begun.url, label: source.label, abr });
  } catch (error) {
    if (turn === opened) plays = false;
    throw error;
  }
  if (begun.logError !== undefined) {
    messages.notice(`This session is not logged: ${begun.logError}`);
  }
}

/** No rejection may stay silent. */
function attempt(work: Promise<void>): void {
  work.catch((error: unknown) => {
    messages.failure(errorText(error));
  });
}

async function openFile(): Promise<void> {
  const chosen = await bridge.openFileDialog();
  if (chosen.outcome === 'opened') await open(chosen.source);
  else if (chosen.outcome === 'failed') messages.failure(chosen.error);
}

function openTyped(): void {
  const text = elements.url.value.trim();
  // For a file the field shows its path, which is not a URL to load again.
  if (current?.label === text) attempt(open(current));
  else if (text === '') messages.notice('Enter the address of a DASH manifest (.mpd) first.');
  else attempt(open({ url: text, label: text }));
}

function showLaunch(info: LaunchInfo): void {
  const { app, electron, chrome } = info.versions;
  elements.versions.textContent = `multipath-dash ${app} · Electron ${electron} · Chromium ${chrome}`;
  showFirstPage(elements, info);
  showRecent(elements, history.recent(), (label) => attempt(open({ url: label, label })));
  const rule = abrChoices.find((name) => name === info.abr);
  if (rule !== undefined) elements.abr.value = rule;
  else if (info.abr !== undefined) {
    messages.notice(`--abr ${info.abr}: unknown rule; known are ${abrChoices.join(', ')}`);
  }
}

async function start(): Promise<void> {
  for (const name of abrChoices) elements.abr.add(new Option(ruleLabel(name), name));
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

document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  // The preload script passes a file on: the window may not name files.
  const address = event.dataTransfer && droppedAddress(event.dataTransfer);
  if (address) attempt(open({ url: address, label: address }));
});
bridge.onOpenRequested((source) => attempt(open(source)));
bridge.onNotice((text) => messages.notice(text));
bridge.onClosing((reason) => {
  attempt(Promise.resolve(stage?.end(reason)).then(() => bridge.sessionClosed()));
});
attempt(start());
